/* found.h - what was asked of a trace and is not there, or not yet. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/choice.h"

/*
 * Complains on stderr where none of the chosen ranks or steps is there, where killed processes left events that no
 * file has, and where no event is there at all. ranks: processes that were shown; events: of them. false: something
 * is missing.
 */
bool found_all(struct trace *t, const struct choice *c, size_t ranks, uint64_t events);

/* The same for who looks at steps, of which so many were shown: calls may be there that are in none. */
bool found_steps(struct trace *t, const struct choice *c, size_t ranks, uint64_t steps);
