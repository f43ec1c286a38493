/* kinds.h - roctx's sonames, and which kind of event the capture words of its rows tell of (words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

#define ROCTX_FAMILY	      "libroctx64 librocprofiler-sdk-roctx"

#define KIND_ROCTX_MARK(...)  EV_MARKER
#define KIND_ROCTX_START(...) (EV_MARKER | BEGINS_RANGE)
#define KIND_ROCTX_STOP(...)  (EV_MARKER | ENDS_RANGE)
#define KIND_ROCTX_PUSH(...)  (EV_MARKER | BEGINS_RANGE | NESTS)
#define KIND_ROCTX_POP(...)   (EV_MARKER | ENDS_RANGE | NESTS)
