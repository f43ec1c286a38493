/* stack_names.h - numbers for stacks: each is defined when it comes first, with the functions in it. */
#pragma once
#include "agent/stacks/python_frames.h"

/* DEF_STACK id; 0: there was no room for a definition. */
uint64_t stack_names_of(const struct python_layout *l, const struct python_stack *s);
