/* python_text.h - a str of Python as UTF-8. */
#pragma once
#include <stddef.h>
#include "agent/stacks/python_layout.h"

/* Its beginning, in whole characters; returns how many bytes. What is no character, such as half a surrogate pair, becomes a question mark. */
size_t python_text(const struct python_layout *l, const char *text, char *to, size_t size);
