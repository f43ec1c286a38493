/* lost_calls.h - calls that were dropped: when, by which thread, and in which steps. */
#pragma once
#include "analysis/trace/trace.h"

void lost_calls_tell(const struct visitor *v, struct process *p, const struct def_lost *def);
