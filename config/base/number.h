/* number.h - a number as settings have it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define NUMBER_MAX ((int64_t)1 << 53)

/* Digits only, 0 to NUMBER_MAX, no sign, no locale. Moves *text behind the number. */
bool number_read(const char **text, int64_t *n);
