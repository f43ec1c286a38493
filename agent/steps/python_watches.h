/*
 * python_watches.h - functions of Python whose calls tell of steps, their numbers, stages, mini- and micro-batches. python_shim.py finds them, and has their calls
 * told here: by sys.monitoring, where Python has that (3.12), or by a function in their place.
 */
#pragma once
#include <stdbool.h>
#include "agent/steps/python_api.h"
#include "config/step_source/python_function.h"

/* Fill in those of the settings but for the step sources'; before shim_ask(). A forked child of one whose shim runs has them. */
void watches_read_places(void);
void watches_read_numbers(void);

/* Of these the batches that end, which run from the beginning: before the first window may open. */
void watches_read_runs(void);

/* A step source. */
void watches_add_step(unsigned int source, const struct python_function *f);

bool watches_any(void);

/* Is one not there though its module is, or has a call said nothing, as its arguments could not be read? */
bool watches_silent(void);

/* The one that is the step clock; NULL: no function of Python is. */
struct watch;
const struct watch *watches_clock(void);

/* Is there one whose batches are part of a stage that nobody tells, as an engine's are? */
bool watches_imply(void);

/* Lists them in the session. */
void watches_note(void);

/* Has this step source's function been found, where its module is imported? */
bool watches_found(unsigned int source);

/* What python_shim.py calls. */
bool watches_give(void *dictionary);
