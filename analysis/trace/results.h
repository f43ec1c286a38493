/* results.h - the names of what vendors' calls return. */
#pragma once
#include <stdint.h>

/* What its vendor calls this result of this entry point; NULL: not known. */
const char *result_name(const char *entry_point, int64_t result);
