/* spec_list.h - several specs in one text, semicolons between. */
#pragma once
#include <stdbool.h>

/* Finds the next one, [*from, *end), without blanks around it, and moves *text behind it. False: there is none. */
bool spec_next(const char **text, const char **from, const char **end);
