/*
 * visit.h - around all that we ask of a vendor at one time. What is asked about events is forbidden to every thread while one captures, and
 * that may begin at any moment: visit_begin_asking().
 */
#pragma once
#include "agent/record/question.h"
#include "hooks/capture/pairs/pools.h"

struct visit {
	struct slow_path guard;
	int kept; /* of calls->enter() */
};

static inline struct visit visit_begin_for(const struct event_calls *calls, bool asks)
{
	struct visit v = { .guard = slow_path_begin() };
	uint32_t inside;

	if (!calls->enter)
		return v;
	inside = question_in();
	v.kept = calls->enter(asks);
	question_out(inside);
	return v;
}

static inline struct visit visit_begin(const struct event_calls *calls)
{
	return visit_begin_for(calls, false);
}

static inline struct visit visit_begin_asking(const struct event_calls *calls)
{
	return visit_begin_for(calls, true);
}

static inline void visit_end(const struct event_calls *calls, struct visit v)
{
	uint32_t inside;

	if (calls->leave) {
		inside = question_in();
		calls->leave(v.kept);
		question_out(inside);
	}
	slow_path_end(v.guard);
}

/* A visit of nothing but questions: what the vendor calls in turn is none of the program's. */
struct asking {
	struct visit visit;
	uint32_t inside;
};

static inline struct asking asking_begin(const struct event_calls *calls)
{
	struct asking a = { .visit = visit_begin(calls) };

	a.inside = question_in();
	return a;
}

static inline void asking_end(const struct event_calls *calls, struct asking a)
{
	question_out(a.inside);
	visit_end(calls, a.visit);
}
