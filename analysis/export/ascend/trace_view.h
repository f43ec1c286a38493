/* trace_view.h - trace_view.json: the time line, as torch_npu's profiler writes it. */
#pragma once
#include "analysis/export/ascend/ascend.h"
#include "analysis/util/out.h"

struct trace_view {
	struct out *out;
	uint64_t records;
	struct table lanes;  /* uint8_t by lane and thread: which have a name */
	struct table groups; /* uint32_t by number of a group: its place */
};

void trace_view_begin(struct trace_view *v, struct ascend *a);
void trace_view_call(struct trace_view *v, const struct ascend *a, const struct trace_event *ev);
void trace_view_task(struct trace_view *v, const struct ascend *a, const struct ascend_task *task, const char *name);
void trace_view_bar(struct trace_view *v, const struct ascend *a, enum overlap_bar bar, uint64_t begin, uint64_t end);
void trace_view_range(struct trace_view *v, const struct ascend *a, const struct range *range);
void trace_view_range_task(struct trace_view *v, const struct ascend *a, const struct ascend_task *task);
void trace_view_mark(struct trace_view *v, const struct ascend *a, const struct trace_event *ev);
void trace_view_step(struct trace_view *v, const struct ascend *a, const struct ascend_step *step);
void trace_view_end(struct trace_view *v);
