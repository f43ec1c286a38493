/* drain.h - the flush thread's work: from rings and definitions to chunks. One thread only. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/session/definitions.h"
#include "agent/session/settings.h"

/* Takes the memory that encoding needs, while there is some. */
bool drain_prepare(void);

/* A file was opened: who we are, and what it needs of definitions. first_epoch: where those of its window begin. */
void drain_begin(const char *window, struct definitions_place first_epoch, const struct detail *detail);

/*
 * Writes what the rings hold; only of rings half full, or long not looked at, unless all is asked
 * for. Slots of an epoch after last_epoch (0: none) stay for the next window.
 */
void drain_rings(uint32_t last_epoch, bool all);

/* Must they be written now? since: of the oldest that wait, CLOCK_MONOTONIC in ns. */
bool drain_is_due(uint64_t since);

/*
 * The file is complete: totals (see totals_take()), clean end, final name. reason: window or exit. times_later: of so many of its
 * calls the device times are still to come.
 */
void drain_end(const char *reason, uint64_t window_end, uint64_t times_later);

bool drain_totals_written(void); /* Has the last window a file with its totals? */

void drain_forget(void); /* in a forked child */
