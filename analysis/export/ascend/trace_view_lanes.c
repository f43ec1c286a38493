#include "analysis/export/ascend/trace_view_lanes.h"

#include <stdio.h>

#include "analysis/export/ascend/words.h"
#include "analysis/export/chrome_record.h"

#define STREAMS (1u << 16) /* behind all of them */
#define HOST	31	   /* in place of a device, in the lanes of the host */

static const struct {
	const char *name;
	unsigned int place;
	bool host;
} lanes[LANE_COUNT] = {
#define LANE(symbol, name, place, host) { name, place, host },
	LANES(LANE)
#undef LANE
};

static uint64_t pid_of(const struct ascend *a, enum lane lane, uint32_t device)
{
	if (lane == LANE_PYTHON)
		return a->process->pid;
	return a->process->pid << 10 | lanes[lane].place << 5 | (lanes[lane].host ? HOST : device & 31);
}

void trace_view_record(struct trace_view *v, const char *phase, struct at at)
{
	chrome_record_begin(v->out, !v->records++, phase, at.pid, at.tid);
}

static void put_meta(struct trace_view *v, struct at at, const char *what, const char *key, const char *text, uint64_t number)
{
	trace_view_record(v, "M", at);
	out_format(v->out, ",\"name\":\"%s\",\"args\":{\"%s\":", what, key);
	if (text)
		out_json_plain(v->out, text);
	else
		out_u64(v->out, number);
	out_text(v->out, "}}");
}

static bool is_new(struct trace_view *v, uint64_t pid, uint64_t tid)
{
	uint8_t *known = table_put(&v->lanes, pid * 0x9E3779B97F4A7C15ull ^ tid);
	bool fresh = !*known;

	*known = 1;
	return fresh;
}

static void name_lane(struct trace_view *v, const struct ascend *a, enum lane lane, uint64_t pid, uint32_t device)
{
	struct at at = { pid, 0 };
	char label[32] = "CPU";

	if (!lanes[lane].host)
		snprintf(label, sizeof(label), "NPU %u", device);
	put_meta(v, at, "process_name", "name", lane == LANE_MSTX ? process_fact(a->process, "command") : lanes[lane].name, 0);
	put_meta(v, at, "process_labels", "labels", label, 0);
	put_meta(v, at, "process_sort_index", "sort_index", NULL, lanes[lane].place);
}

struct at thread_at(struct trace_view *v, const struct ascend *a, enum lane lane, uint32_t device, uint64_t tid, const char *title)
{
	struct at at = { pid_of(a, lane, device), tid };

	if (!is_new(v, at.pid, tid))
		return at;
	if (is_new(v, at.pid, UINT64_MAX))
		name_lane(v, a, lane, at.pid, device);
	put_meta(v, at, "thread_name", "name", title, 0);
	put_meta(v, at, "thread_sort_index", "sort_index", NULL, tid);
	return at;
}

struct at host_at(struct trace_view *v, const struct ascend *a, enum lane lane, uint32_t tid)
{
	char title[32];

	snprintf(title, sizeof(title), "Thread %u", tid);
	return thread_at(v, a, lane, HOST, tid, title);
}

struct at stream_at(struct trace_view *v, const struct ascend *a, uint16_t stream)
{
	char title[32];

	snprintf(title, sizeof(title), "Stream %u", stream);
	return thread_at(v, a, LANE_HARDWARE, ascend_device(a, stream), stream, title);
}

struct at range_at(struct trace_view *v, const struct ascend *a, uint16_t stream)
{
	char title[32];

	snprintf(title, sizeof(title), "Stream %u ranges", stream);
	return thread_at(v, a, LANE_HARDWARE, ascend_device(a, stream), STREAMS + stream, title);
}

struct at group_at(struct trace_view *v, const struct ascend *a, uint16_t stream, const struct collective *c, bool plane)
{
	const char *group = words_group(c);
	uint32_t *place = table_put(&v->groups, words_group_number(group));
	char title[160];

	if (!*place)
		*place = (uint32_t)v->groups.count;
	snprintf(title, sizeof(title), plane ? "Plane 0" : "Group %.120s Communication", group);
	return thread_at(v, a, LANE_COMMUNICATION, ascend_device(a, stream), 2 * *place + plane, title);
}
