/* ranges.h - what other sections ask of a report's ranges. */
#pragma once
#include <stdint.h>

#include "analysis/report/report.h"

/* The name of those that came several times, without a domain, and lasted longest in all; NULL: there are none. *times: how often. */
const char *ranges_repeated(const struct report *r, uint64_t *times);
