/* copies.c - section: copies by direction, and fills. */
#include "analysis/report/copies.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/trace/words.h"
#include "config/contents.h"

#define NO_COPY COPIES_ROWS /* no row counts it: it failed, or the outer call tells the same story */

static unsigned int row_of(const struct trace_event *ev)
{
	return ev->kind == EV_FILL ? COPIES_FILLS : ev->direction;
}

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)p;
	(void)asked;
	((struct copies *)kept)->places = POSITION_MAP(0);
}

void copies_place(struct copies *c, const struct trace_event *ev)
{
	position_map_put(&c->places, ev->ring, ev->slot, ev->nested || ev->result || ev->captured ? NO_COPY : row_of(ev));
}

void copies_take(struct copies *c, const struct trace_event *ev)
{
	struct copy_row *row = &c->rows[row_of(ev)];

	row->count++;
	row->bytes += ev->bytes;
	row->host_ns += ev->duration_ns;
	if (!ev->stream) {
		row->blocking++;
		row->blocking_bytes += ev->bytes;
	}
}

bool copies_time(struct copies *c, const struct trace_device *dev)
{
	const struct mapped_position *copy = position_map_find(&c->places, dev->ring, dev->slot);

	if (!copy)
		return !c->places.forgotten;
	if (copy->value != NO_COPY) {
		c->rows[copy->value].timed++;
		c->rows[copy->value].device_ns += dev->duration_ns;
	}
	return true;
}

static void end(void *kept)
{
	position_map_free(&((struct copies *)kept)->places);
}

static void parcel(struct parcel *p, void *kept)
{
	PARCEL_U64S(p, ((struct copies *)kept)->rows);
}

/* ---- showing them ---- */

static const struct copy_row *rows_of(const struct report *r)
{
	return ((const struct copies *)r->sections[SECTION_copies])->rows;
}

static struct copy_row sum_of(const struct report *reports, size_t count, size_t which)
{
	struct copy_row sum = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct copy_row *row = &rows_of(&reports[i])[which];

		sum.count += row->count;
		sum.bytes += row->bytes;
		sum.host_ns += row->host_ns;
		sum.device_ns += row->device_ns;
		sum.timed += row->timed;
		sum.blocking += row->blocking;
		sum.blocking_bytes += row->blocking_bytes;
	}
	return sum;
}

static bool is_partly_timed(const struct report *reports, size_t count)
{
	for (size_t d = 0; d < COPIES_ROWS; d++) {
		struct copy_row sum = sum_of(reports, count, d);

		if (sum.timed && sum.timed < sum.count)
			return true;
	}
	return false;
}

static const char *word_of(size_t which)
{
	if (which == COPIES_FILLS)
		return "fill";
	return which ? direction_words[which] : "?";
}

struct rate {
	uint64_t bytes, ns; /* none: not known */
	bool by_host;	    /* the time inside blocking calls */
};

/* By device times, of all that are in a stream, or of all; else, where all block, by the calls. Of some bytes no time is known. */
static struct rate rate_of(const struct copy_row *c)
{
	if (c->timed && c->timed == c->count)
		return (struct rate){ c->bytes, c->device_ns, false };
	if (c->timed && c->timed == c->count - c->blocking)
		return (struct rate){ c->bytes - c->blocking_bytes, c->device_ns, false };
	if (!c->timed && c->blocking == c->count)
		return (struct rate){ c->bytes, c->host_ns, true };
	return (struct rate){ 0 };
}

static const char *column_rate(const struct copy_row *c, char *text)
{
	struct rate rate = rate_of(c);

	if (!rate.ns)
		return "-";
	snprintf(text, COLUMN, "%.3f%s", (double)rate.bytes / (double)rate.ns, rate.by_host ? " in the calls" : "");
	return text;
}

static bool asks_for_times(const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (contents_of(report_fact(&reports[i], "contents")) & CONTENT_DEVICE)
			return true;
	return false;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	bool head = false, blocking = false, partly = is_partly_timed(reports, count);
	char c[5][COLUMN];

	(void)top;
	for (size_t d = 0; d < COPIES_ROWS; d++) {
		struct copy_row sum = sum_of(reports, count, d);

		if (!sum.count)
			continue;
		if (!head)
			out_format(o, "\nCopies\n%-9s %10s %13s %s%13s %13s %10s\n", "DIRECTION", "COUNT",
				   "BYTES", partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "GB/S");
		head = true;
		blocking |= !sum.timed && sum.blocking == sum.count;
		out_format(o, "%-9s %10" PRIu64 " %13s %s%13s %13s %10s\n", word_of(d),
			   sum.count, column_bytes(sum.bytes, c[0]), column_timed(partly, sum.timed, c[3]),
			   sum.timed ? column_duration(sum.device_ns, c[1]) : "-",
			   column_duration(sum.host_ns, c[2]), column_rate(&sum, c[4]));
	}
	if (blocking && asks_for_times(reports, count))
		out_text(o, "DEVICE -: the host waits in the call, which counts as the copy's time, in Steps too\n");
}

static void put_row(struct out *o, const struct copy_row *c)
{
	struct rate rate = rate_of(c);

	out_text(o, "{\"count\":");
	out_u64(o, c->count);
	out_json_number(o, "bytes", c->bytes);
	out_json_number(o, "ns", c->timed == c->count ? c->device_ns : c->host_ns);
	out_json_number(o, "host_ns", c->host_ns);
	out_json_number(o, "device_ns", c->device_ns);
	out_json_number(o, "timed", c->timed);
	if (rate.ns) {
		out_format(o, ",\"gb_per_s\":%.6f", (double)rate.bytes / (double)rate.ns);
		out_json_text(o, "gb_per_s_by", rate.by_host ? "host" : "device");
	}
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	size_t n = 0;

	out_json_key(o, "copies");
	out_char(o, '{');
	for (size_t i = 0; i < DIR_COUNT; i++) {
		if (!rows_of(r)[i].count)
			continue;
		out_json_comma(o, n++);
		out_json(o, i ? direction_words[i] : "unknown");
		out_char(o, ':');
		put_row(o, &rows_of(r)[i]);
	}
	out_char(o, '}');
	out_json_key(o, "fills");
	put_row(o, &rows_of(r)[COPIES_FILLS]);
}

const struct section copies_section = {
	.kept = sizeof(struct copies),
	.begin = begin,
	.end = end,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
	.csv = "copies,fills",
};
