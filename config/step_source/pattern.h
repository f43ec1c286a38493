/* pattern.h - regular expressions that a user gives. */
#pragma once
#include <stddef.h>

#define PATTERN_MAX 255 /* letters */

/*
 * Refuses what is no extended regular expression, or takes too much memory or time. source: whose it is; example: what another one
 * looks like; *groups: how many it has.
 */
int pattern_check(const char *source, const char *expression, const char *example, size_t *groups, char *why, size_t size);
