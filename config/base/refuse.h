/* refuse.h - how a setting is refused: in one line that names the remedy. */
#pragma once
#include <stddef.h>

#define SHOWN_MAX    64 /* letters of a value that a complaint repeats */
#define shown(count) ((int)((count) < SHOWN_MAX ? (count) : SHOWN_MAX))

/*
 * Like snprintf into why, on one line whatever the values hold. Returns -EINVAL, so that a reader can
 * `return refuse(...)`.
 */
int refuse(char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
