/* native_names.h - numbers for native stacks: each is defined when it comes first, with the files that its functions are in. */
#pragma once
#include "agent/base/attributes.h"
#include "agent/stacks/native_frames.h"

/* As stacks_opening(). */
BARE void native_names_opening(void);

/* DEF_STACK id; 0: there was no room for a definition, or nothing in it. What is no frame is cut off. */
uint64_t native_names_of(struct native_stack *s);
