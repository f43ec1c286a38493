/* launch_to_start.c - section: how long after the call began what it launched began on the device, by stream. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/trace/device_join.h"
#include "analysis/trace/pending.h"
#include "analysis/util/alloc.h"
#include "analysis/util/durations.h"

struct stream_starts {
	uint64_t stream, count, longest;
	struct durations delays;
};

struct starts {
	bool timed;		     /* there may be device times */
	struct pending calls, times; /* that wait for the other half */
	struct table rows;	     /* struct stream_starts by stream */
	uint64_t forgotten;
	size_t count;
	struct stream_starts *list; /* by stream */
};

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)asked;
	*(struct starts *)kept = (struct starts){ .timed = device_join_may(p), .rows = TABLE(struct stream_starts) };
}

static bool idle(const void *kept)
{
	return !((const struct starts *)kept)->timed;
}

/* Of clocks that are apart a start may come before its call. */
static void add(struct starts *s, uint16_t stream, uint64_t called, uint64_t started)
{
	struct stream_starts *row = table_put(&s->rows, stream);
	uint64_t delay = started > called ? started - called : 0;

	row->stream = stream;
	row->count++;
	row->longest = delay > row->longest ? delay : row->longest;
	durations_add(&row->delays, delay);
}

static void take_launch(void *kept, const struct trace_event *ev)
{
	struct starts *s = kept;
	struct pending_time call, time;

	call = (struct pending_time){ .event = DEVICE_REF(ev->ring, ev->hook, ev->slot), .begin_ns = ev->begin_ns, .stream = ev->stream };
	if (pending_take(&s->times, call.event, &time)) {
		add(s, ev->stream, ev->begin_ns, time.begin_ns);
		return;
	}
	s->forgotten += pending_forget_many(&s->calls);
	pending_put_time(&s->calls, &call);
}

static void take_time(void *kept, const struct trace_device *dev)
{
	struct starts *s = kept;
	struct pending_time call;

	if (dev->kind != EV_LAUNCH)
		return;
	if (pending_take(&s->calls, DEVICE_REF(dev->ring, dev->hook, dev->slot), &call)) {
		add(s, call.stream, call.begin_ns, dev->begin_ns);
		return;
	}
	s->forgotten += pending_forget_many(&s->times);
	pending_put(&s->times, dev);
}

static int by_stream(const void *a, const void *b)
{
	const struct stream_starts *x = a, *y = b;

	return (x->stream > y->stream) - (x->stream < y->stream);
}

static void end(void *kept)
{
	struct starts *s = kept;

	pending_free(&s->calls);
	pending_free(&s->times);
	s->list = table_hand_over(&s->rows, &s->count, by_stream);
}

static void let_go(void *kept)
{
	struct starts *s = kept;

	for (size_t i = 0; i < s->count; i++)
		durations_free(&s->list[i].delays);
	free(s->list);
}

static void parcel(struct parcel *p, void *kept)
{
	struct starts *s = kept;

	PARCEL(p, s->forgotten);
	for (size_t i = 0; parcel_has(p, i, &s->list, &s->count, sizeof(*s->list)); i++) {
		PARCEL(p, s->list[i].stream);
		PARCEL(p, s->list[i].count);
		PARCEL(p, s->list[i].longest);
		durations_parcel(p, &s->list[i].delays);
	}
}

/* ---- showing them ---- */

static const struct starts *of(const struct report *r)
{
	return r->sections[SECTION_launch_to_start];
}

struct line {
	const struct report *report;
	const struct stream_starts *row;
	uint64_t median;
};

static int longest_first(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->median != y->median)
		return x->median < y->median ? 1 : -1;
	if (x->report != y->report)
		return x->report < y->report ? -1 : 1;
	return by_stream(x->row, y->row);
}

static struct line *lines_of(const struct report *reports, size_t count, size_t *lines)
{
	struct line *list;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += of(&reports[i])->count;
	list = alloc_zero(n + 1, sizeof(*list));
	*lines = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < of(&reports[i])->count; k++) {
			const struct stream_starts *row = &of(&reports[i])->list[k];

			list[(*lines)++] = (struct line){ &reports[i], row, durations_median(&row->delays) };
		}
	qsort(list, n, sizeof(*list), longest_first);
	return list;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n, shown;
	struct line *lines = lines_of(reports, count, &n);
	char c[4][COLUMN];

	shown = n < top ? n : top;
	if (n) {
		out_format(o, "\nFrom launch to start (%zu of %zu)\n%5s ", shown, n, "RANK");
		column_process_head(o, &reports[0]);
		out_format(o, "%6s %10s %13s %13s %13s\n", "STREAM", "LAUNCHES", "MEDIAN", "P99", "LONGEST");
	}
	for (size_t i = 0; i < shown; i++) {
		const struct stream_starts *row = lines[i].row;

		out_format(o, "%5s ", column_rank(lines[i].report, c[0]));
		column_process(o, lines[i].report);
		out_format(o, "%6" PRIu64 " %10" PRIu64 " %13s %13s %13s\n", row->stream, row->count, column_duration(lines[i].median, c[1]),
			   column_duration(durations_p99(&row->delays), c[2]), column_duration(row->longest, c[3]));
	}
	free(lines);
}

static void json(struct out *o, const struct report *r)
{
	const struct starts *s = of(r);

	out_json_key(o, "launch_to_start");
	out_char(o, '[');
	for (size_t i = 0; i < s->count; i++) {
		out_json_comma(o, i);
		out_text(o, "{\"stream\":");
		out_u64(o, s->list[i].stream);
		out_json_number(o, "launches", s->list[i].count);
		out_json_number(o, "median_ns", durations_median(&s->list[i].delays));
		out_json_number(o, "p99_ns", durations_p99(&s->list[i].delays));
		out_json_number(o, "longest_ns", s->list[i].longest);
		out_char(o, '}');
	}
	out_char(o, ']');
	if (s->forgotten)
		out_json_number(o, "launch_to_start_forgotten", s->forgotten);
}

const struct section launch_to_start_section = {
	.kept = sizeof(struct starts),
	.begin = begin,
	.idle = idle,
	.visitor.event = take_launch,
	.visitor.device = take_time,
	.kinds = KIND_BIT(EV_LAUNCH),
	.end = end,
	.free = let_go,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
};
