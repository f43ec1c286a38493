/* capture.h - streams whose work is kept as a graph, by what the program itself has begun and ended. */
#pragma once
#include "hooks/ascend/tracking/tracking.h"

/* What is given to the stream from here on is kept, or changes what was kept: it runs later. */
void capture_begins(aclrtStream stream);
void capture_ends(aclrtStream stream);

bool capture_any(void);
bool capture_has(aclrtStream stream);

/* Counts up at every begin and end. */
uint32_t capture_changes(void);
