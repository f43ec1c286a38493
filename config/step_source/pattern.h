/* pattern.h - regular expressions that a user gives. */
#pragma once
#include <stddef.h>

/* Refuses an extended regular expression that takes too much memory or time. */
int pattern_check(const char *expression, char *why, size_t size);
