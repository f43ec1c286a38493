/* trace_view_lanes.h - where a record of trace_view.json stands: lanes as processes, and their threads. */
#pragma once
#include "analysis/export/ascend/trace_view.h"

/* LANE(symbol, name, place, of the host) */
#define LANES(LANE)                                     \
	LANE(PYTHON, "Python", 0, true)                 \
	LANE(MSTX, "mstx", 6, true)                     \
	LANE(CANN, "CANN", 7, true)                     \
	LANE(HARDWARE, "Ascend Hardware", 14, false)    \
	LANE(COMMUNICATION, "Communication", 16, false) \
	LANE(OVERLAP, "Overlap Analysis", 31, false)

enum lane {
#define LANE(symbol, name, place, host) LANE_##symbol,
	LANES(LANE)
#undef LANE
		LANE_COUNT
};

struct at {
	uint64_t pid, tid;
};

/* Open for what is its own. */
void trace_view_record(struct trace_view *v, const char *phase, struct at at);

/* The first use of a place names it. */
struct at thread_at(struct trace_view *v, const struct ascend *a, enum lane lane, uint32_t device, uint64_t tid, const char *title);
struct at host_at(struct trace_view *v, const struct ascend *a, enum lane lane, uint32_t tid);
struct at stream_at(struct trace_view *v, const struct ascend *a, uint16_t stream);

/* Ranges of the stream, around its work. */
struct at range_at(struct trace_view *v, const struct ascend *a, uint16_t stream);

/* A group has a thread for its operations, and behind that one for the work that they launch: plane. */
struct at group_at(struct trace_view *v, const struct ascend *a, uint16_t stream, const struct collective *c, bool plane);
