/* version.h - numbers of releases, as 0.9.1. */
#pragma once
#include <stdbool.h>

/* Is version a at least b? Numbers with dots between; what follows them, as .post11, says nothing. */
bool version_is_at_least(const char *a, const char *b);
