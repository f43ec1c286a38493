/* kinds.h - which kind of event the capture words of runtimes tell of (words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

#define KIND_LAUNCH(...)	EV_LAUNCH
#define KIND_LAUNCH_CONFIG(...) EV_LAUNCH
#define KIND_TASK(...)		EV_LAUNCH
#define KIND_GRAPH_LAUNCH(...)	EV_LAUNCH
#define KIND_COPY(...)		EV_COPY
#define KIND_WAITED_COPY(...)	EV_COPY
#define KIND_COPIES(...)	EV_COPY
#define KIND_COPY_MANY(...)	EV_COPY
#define KIND_MIGRATE(...)	EV_COPY
#define KIND_MIGRATIONS(...)	EV_COPY
#define KIND_FILL(...)		EV_FILL
#define KIND_ALLOC(...)		EV_ALLOC
#define KIND_ALLOC_ON(...)	EV_ALLOC
#define KIND_ALLOC_HOST(...)	(EV_ALLOC | OF_HOST)
#define KIND_RELEASE(...)	EV_FREE
#define KIND_RELEASE_ON(...)	EV_FREE
#define KIND_RELEASE_HOST(...)	(EV_FREE | OF_HOST)
#define KIND_SEGMENT(...)	EV_REFERENCE
#define KIND_MEMORY(...)	EV_REFERENCE
#define KIND_STREAM(...)	EV_STREAM
#define KIND_STREAM_NEW(...)	EV_STREAM
#define KIND_STREAM_END(...)	EV_STREAM
#define KIND_SYNC(...)		EV_SYNC
#define KIND_EVENT_ON(...)	EV_EVENT
#define KIND_GRAPH_ON(...)	EV_GRAPH
#define KIND_GRAPH_NEW(...)	EV_GRAPH
#define KIND_GRAPH_NODE(...)	EV_GRAPH
#define KIND_GRAPH_DESTROY(...) EV_GRAPH
#define KIND_GRAPH_BEGIN(...)	EV_GRAPH
#define KIND_GRAPH_END(...)	EV_GRAPH
#define KIND_FUNCTION(...)	EV_MODULE
#define KIND_FUNCTION_OF(...)	EV_MODULE
#define KIND_MODULE_END(...)	EV_MODULE
#define KIND_CONTEXT(...)	EV_MODULE
#define KIND_CONTEXT_TO(...)	EV_MODULE
#define KIND_CONTEXT_NEW(...)	EV_MODULE
#define KIND_CONTEXT_POP(...)	EV_MODULE
#define KIND_CONTEXT_END(...)	EV_MODULE
#define KIND_DEVICE_END(...)	EV_MODULE
