/* kinds.h - which kind of event the capture words of markers and allocators tell of (words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

#define KIND_MARK(...)		EV_MARKER
#define KIND_ANSWERED_MARK(...) EV_MARKER
#define KIND_RANGE_START(...)	(EV_MARKER | BEGINS_RANGE)
#define KIND_RANGE_END(...)	(EV_MARKER | ENDS_RANGE)
#define KIND_RANGE_NUMBER(...)	EV_MARKER
#define KIND_STAMP(...)		EV_MARKER
#define KIND_STAMP_PUSH(...)	(EV_MARKER | BEGINS_RANGE | NESTS)
#define KIND_STAMP_START(...)	(EV_MARKER | BEGINS_RANGE | NESTS)
#define KIND_STAMP_STOP(...)	(EV_MARKER | ENDS_RANGE | NESTS)
#define KIND_PUSH(...)		(EV_MARKER | BEGINS_RANGE | NESTS)
#define KIND_POP(...)		(EV_MARKER | ENDS_RANGE | NESTS)
#define KIND_STAMP_MESSAGE(...) EV_EVENT
#define KIND_STAMP_END(...)	EV_EVENT
#define KIND_DOMAIN_NEW(...)	EV_MARKER
#define KIND_DOMAIN_END(...)	EV_MARKER
#define KIND_HEAP_NEW(...)	EV_POOL_ALLOC
#define KIND_HEAP_END(...)	EV_POOL_FREE
#define KIND_REGIONS_NEW(...)	EV_POOL_ALLOC
#define KIND_REGIONS_END(...)	EV_POOL_FREE
