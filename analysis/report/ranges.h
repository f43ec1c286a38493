/* ranges.h - what other sections ask of a report's ranges. */
#pragma once
#include <stdint.h>

#include "analysis/report/report.h"

/*
 * Of those without a domain that came several times the ones that lasted longest in all: their name, in which numbers do not count; NULL: there
 * are none. *times: how often.
 */
const char *ranges_repeated(const struct report *r, uint64_t *times);
