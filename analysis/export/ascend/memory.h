/* memory.h - memory that was handed out and given back, in pairs, and how much there was at a time: of what the window shows. */
#pragma once
#include "analysis/trace/trace.h"

struct ascend;
struct ascend_memories;

struct ascend_memories *memories_new(struct ascend *a);
void memories_take(struct ascend_memories *m, const struct trace_event *ev);
void memories_take_piece(struct ascend_memories *m, const struct trace_piece *piece);

/* What is still there is told, too. */
void memories_free(struct ascend_memories *m);
