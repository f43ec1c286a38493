/* kinds.h - which kind of event the capture words of NVTX's rows tell of (words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

#define KIND_NVTX_MARK(...)	  EV_MARKER
#define KIND_NVTX_START(...)	  (EV_MARKER | BEGINS_RANGE)
#define KIND_NVTX_END(...)	  (EV_MARKER | ENDS_RANGE)
#define KIND_NVTX_PUSH(...)	  (EV_MARKER | BEGINS_RANGE | NESTS)
#define KIND_NVTX_POP(...)	  (EV_MARKER | ENDS_RANGE | NESTS)
#define KIND_NVTX_DOMAIN(...)	  EV_MARKER
#define KIND_NVTX_DOMAIN_END(...) EV_MARKER
