/*
 * contexts.h - contexts, each of which has a default stream of its own (NULL). Where a program goes to one place alone
 * nobody is asked for it.
 */
#pragma once
#include "hooks/ascend/tracking/tracking.h"

aclrtContext ascend_context(void); /* this thread's; NULL: it has none */

/* Before a thread goes to a context that there is, to the one that a device has of its own, or to a new one. */
#define PLACE_DEVICE(number)   ((uint64_t)(number) + 1)
#define PLACE_CONTEXT(context) ((uint64_t)(uintptr_t)(context))
#define PLACE_NEW	       0
void ascend_goes_to(uint64_t place);

/* Before a context ends; NULL: those of a device. */
void ascend_place_ends(aclrtContext context);
