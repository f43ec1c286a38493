/* section_takers.h - the sections that have a visitor of their own, by what they want to hear of: while a process is read they are told of nothing else. */
#pragma once
#include "analysis/report/section.h"

struct taker_list {
	size_t count;
	struct section_taker {
		const struct section *section;
		void *kept;
		void (*event)(void *kept, const struct trace_event *ev); /* the section's */
		bool all_steps;						 /* the section's */
	} list[SECTIONS];
};

struct section_takers {
	uint64_t wanted; /* KIND_BIT() of the events that there are takers of: asked for each event, whose list then is not looked at */
	struct taker_list events[EV_KINDS + 1], devices, pieces, losses, steps;
};

/* Before the process is read, and behind it: every section begins and ends. t: zero. */
void section_takers_begin(struct section_takers *t, const struct report *r, struct process *p, const struct selection *asked);
void section_takers_end(const struct report *r);

/* shown: its step is one of those asked for. */
static inline void section_takers_event(const struct section_takers *t, const struct trace_event *ev, bool shown)
{
	const struct taker_list *l = &t->events[ev->kind];

	for (const struct section_taker *taker = l->list; taker < l->list + l->count; taker++)
		if (shown || taker->all_steps)
			taker->event(taker->kept, ev);
}
void section_takers_device(const struct section_takers *t, const struct trace_device *dev);
void section_takers_piece(const struct section_takers *t, const struct trace_piece *piece);
void section_takers_lost(const struct section_takers *t, const struct trace_lost *lost);
void section_takers_step(const struct section_takers *t, uint32_t ring, uint64_t position, uint32_t epoch);
