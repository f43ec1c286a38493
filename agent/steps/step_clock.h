/*
 * step_clock.h - the step sources that are listened to, in the user's order. The first that fires is the
 * clock, which counts the steps; the others are no longer heard.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "config/step_source/step_source.h"

/* Begins a list; named: the user wrote it. */
void step_clock_begin(bool named);

/* Adds to the list. */
void step_clock_add(const struct step_source_spec *spec);

unsigned int step_clock_count(void);

/* NULL: there are not so many. */
const struct step_source_spec *step_clock_spec(unsigned int source);

/* The first source of this kind, or -1. */
int step_clock_find(enum step_source_kind kind);

/* Did the user name the sources? */
bool step_clock_is_named(void);

/* Does one of them say that steps end (and not that they begin)? Do all? */
void step_clock_which_end(bool *some, bool *all);

/* While this source may be the clock, these bits are to be set in the gate. */
void step_clock_arm(unsigned int source, uint32_t wanted);

/* This source stands in that place of the session's list; SOURCES_HEARD: in none. SOURCE_ flags: what is known of it there. */
void step_clock_listed(unsigned int source, unsigned int place);
unsigned int step_clock_place(unsigned int source);
void step_clock_note(unsigned int source, uint64_t flags);

/* This source, behind others, has waited so many seconds for them when it fires first: the trace says so. */
void step_clock_waits(unsigned int source, uint64_t seconds);

/* The bits of the gate that the sources want which may still be the clock. */
uint32_t step_clock_gate(void);

/* Is this source the clock? It is from now on if none was. Under the lock of steps. */
bool step_clock_fire(unsigned int source);
bool step_clock_is(unsigned int source);

/*
 * It is about to fire: it is the clock already, unless a source before it in the list listens to the launches
 * that are still to come.
 */
void step_clock_claim(unsigned int source);

bool step_clock_has_fired(void);

void step_clock_forget(void); /* in a forked child */
