/*
 * predict.h - what writer and reader of a CHUNK_EVENTS both expect of the next slot. The writer notes
 * only how a slot differs from that, so the two must come to the same guess: this is part of the
 * format (docs/format.md). Everything starts from zero in every chunk.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "agent/format/event.h"

#define GUESS_SLOTS	 65535 /* no chunk holds more slots */
#define GUESS_TEMPLATES	 8192  /* later new templates of a chunk get no number */
#define GUESS_NUMBERLESS 65535
#define GUESS_CONTEXTS	 512

/* ---- numbers ---- */

/* A running median of numbers of one sort, and about twice how far they stray from it. */
struct number_predictor {
	uint64_t middle; /* signed, modulo 2^64 */
	uint32_t spread;
	uint32_t seen; /* up to NUMBER_SEEN */
};

#define NUMBER_SEEN   15
#define NUMBER_SPEED  4				/* of who has seen so many */
#define NUMBER_KIN    4				/* a new template has seen as many of its kin at most ... */
#define NUMBER_YOUNG  7				/* ... and teaches them up to here */
#define NUMBER_SPREAD (1u << 31)		/* at most */
#define NUMBER_SHIFT  8				/* before anything was seen */
#define NUMBER_ONES   20			/* so many ones in a row: no guess at all, 64 bits follow */
#define NUMBER_GREAT  (1u << (NUMBER_ONES - 2)) /* quotients beyond it would have as many ones */

/* How many low bits of the difference are written as they are. */
static inline unsigned int number_shift(const struct number_predictor *g)
{
	return g->seen ? 31u - (unsigned int)__builtin_clz(g->spread | 1) : NUMBER_SHIFT;
}

static inline uint64_t number_zigzag(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static inline uint64_t number_unzigzag(uint64_t zigzag)
{
	return zigzag >> 1 ^ -(zigzag & 1);
}

/* After a number whose zigzag difference from the middle was this: a step towards it, and the spread follows. */
static inline void number_move(struct number_predictor *g, uint64_t zigzag, unsigned int speed)
{
	uint64_t most = 8 * (uint64_t)g->spread + 16, step = zigzag ? g->spread >> speed | 1 : 0, sign = -(zigzag & 1);

	g->middle += (step ^ sign) - sign;
	most = most < NUMBER_SPREAD ? most : NUMBER_SPREAD;
	most = most < zigzag ? most : zigzag;
	g->spread = (uint32_t)((int64_t)g->spread + (((int64_t)most - (int64_t)g->spread) >> speed));
}

/* Large steps at first, smaller ones with experience. */
static inline void number_learn(struct number_predictor *g, uint64_t zigzag)
{
	if (g->seen) {
		number_move(g, zigzag, 31u - (unsigned int)__builtin_clz(g->seen + 1));
		g->seen += g->seen < NUMBER_SEEN;
		return;
	}
	g->seen = 1;
	g->middle = number_unzigzag(zigzag);
	g->spread = zigzag < NUMBER_SPREAD ? (uint32_t)(zigzag / 2 + 1) : NUMBER_SPREAD;
}

__attribute__((noinline, unused)) static void
number_teach_young(struct number_predictor *g, struct number_predictor *kin, uint64_t number, uint64_t zigzag)
{
	if (kin != g && g->seen < NUMBER_YOUNG)
		number_learn(kin, number_zigzag(number - kin->middle));
	number_learn(g, zigzag);
}

/* A number, with its zigzag difference from g. While g is young, its kin learns from it, too. */
static inline void number_teach(struct number_predictor *g, struct number_predictor *kin, uint64_t number,
				uint64_t zigzag)
{
	if (g->seen == NUMBER_SEEN)
		number_move(g, zigzag, NUMBER_SPEED);
	else
		number_teach_young(g, kin, number, zigzag);
}

/* ---- which template comes next ---- */

struct sequence_predictor {
	uint32_t count; /* slots so far */
	uint32_t next;	/* the place in history that is happening again; count: none */
	uint16_t history[GUESS_SLOTS + 1];
	uint16_t follow[GUESS_TEMPLATES]; /* by the last two templates: the place behind them, last time */
};

static inline uint32_t sequence_next(const struct sequence_predictor *s)
{
	return s->next < s->count ? s->history[s->next] : GUESS_NUMBERLESS;
}

/* After a template; guessed: sequence_next() had said so. */
static inline void sequence_learn(struct sequence_predictor *s, uint32_t template, bool guessed)
{
	uint32_t before = s->count ? s->history[s->count - 1] : GUESS_NUMBERLESS;
	uint16_t *place = &s->follow[(template * 40503u + before * 30011u) >> 3 & (GUESS_TEMPLATES - 1)];

	s->history[s->count++] = (uint16_t) template;
	s->next = guessed || !*place ? s->next + 1 : *place;
	*place = (uint16_t)s->count;
}

/* ---- all of it ---- */

struct predictor {
	uint64_t end, device_end;		      /* of the CTRL_DEVICE slot before, and of any other */
	uint32_t device_slot;			      /* its DEVICE_REF_SLOT */
	uint16_t hook;				      /* of the slot before */
	struct number_predictor steps;		      /* of device_slot */
	struct number_predictor gaps[GUESS_CONTEXTS]; /* by hook and hook before */
	struct number_predictor kin[GUESS_CONTEXTS];  /* durations by hook: what a new template begins with */
	uint64_t keys[GUESS_CONTEXTS];		      /* by hook: that of the newest template */
	struct sequence_predictor sequence;
};

/* The history stays: none of it is looked at before it is written. */
static inline void predict_begin(struct predictor *g)
{
	memset(g, 0, offsetof(struct predictor, sequence));
	memset(g->sequence.follow, 0, sizeof(g->sequence.follow));
	g->sequence.count = g->sequence.next = 0;
}

static inline struct number_predictor *predict_gap(struct predictor *g, uint16_t hook)
{
	return &g->gaps[(hook + 37u * g->hook) % GUESS_CONTEXTS];
}

static inline struct number_predictor *predict_kin(struct predictor *g, uint16_t hook)
{
	return &g->kin[hook % GUESS_CONTEXTS];
}

static inline uint64_t *predict_key(struct predictor *g, uint16_t hook)
{
	return &g->keys[hook % GUESS_CONTEXTS];
}

/* What a new template knows of its durations. */
static inline struct number_predictor predict_duration(struct predictor *g, uint16_t hook)
{
	struct number_predictor kin = *predict_kin(g, hook);

	kin.seen = kin.seen < NUMBER_KIN ? kin.seen : NUMBER_KIN;
	return kin;
}

/* Where the gap before a slot begins. */
static inline uint64_t predict_before(const struct predictor *g, uint16_t hook)
{
	return hook == CTRL_DEVICE ? g->device_end : g->end;
}

static inline void predict_learn(struct predictor *g, const struct event *slot)
{
	g->hook = slot->hook;
	if (slot->hook == CTRL_DEVICE) {
		g->device_end = slot->begin + slot->duration;
		g->device_slot = DEVICE_REF_SLOT(slot->arg);
	} else {
		g->end = slot->begin + slot->duration;
	}
}
