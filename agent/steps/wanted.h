/* wanted.h - which window is to be open at a place of a step: whole steps, stages, or stretches of mini- or micro-batches. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/flush/windows.h"
#include "agent/session/settings.h"
#include "agent/steps/place.h"

/* Equal for all places of one window. */
struct wanted {
	bool any;	     /* false: none */
	int64_t first, last; /* its steps; STEP_NULL: all, or none is known */
	uint64_t stage;	     /* 0: any */
	int64_t from, to;    /* batches; -1: any */
	/* Of no concern to wanted_same(): */
	struct place_now place; /* where that was asked, */
	struct detail detail;	/* and how it is to be recorded there */
};

/* At this place, in this step. */
struct wanted wanted_at(const struct place_now *place, int64_t step);

bool wanted_same(const struct wanted *a, const struct wanted *b);

/* step-2, steps-5-9, all, step-2.actor_update.0, step-2.rollout.0.micro-30-59, micro-30-59 */
void wanted_name(const struct wanted *w, char name[WINDOW_NAME]);
