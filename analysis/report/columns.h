/* columns.h - values as the report's tables show them, in a cell of the caller's. */
#pragma once
#include "analysis/report/report.h"

#define CELL 24 /* bytes */

extern const char *const place_words[PLACES];

const char *cell_rank(const struct report *r, char *cell);
const char *cell_duration(uint64_t ns, char *cell);
const char *cell_bytes(uint64_t n, char *cell);
