/* device_ranks.c - section: of a process that drives several devices, each of which is a rank, what each of them was given. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/report/step_rows.h"
#include "analysis/util/alloc.h"

struct device_row {
	struct def_device_rank rank;
	char *name;
	uint64_t calls[WORK_OTHER], timed, busy_ns;
	struct spans busy;
};

struct device_ranks {
	struct process *process;
	struct table rows; /* by device, while events come in */
	size_t count;
	struct device_row *list;
};

static const struct device_ranks *of(const struct report *r)
{
	return r->sections[SECTION_device_ranks];
}

/* ---- collecting ---- */

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	struct device_ranks *d = kept;

	(void)asked;
	*d = (struct device_ranks){ .process = p, .rows = TABLE(struct device_row) };
	for (size_t i = 0; i < p->defs.devices.count; i++) {
		const struct device *device = table_item(&p->defs.devices, i);
		const char *name = device->name ? device->name : "-";

		if (device->has_rank)
			*(struct device_row *)table_put(&d->rows, p->defs.devices.keys[i]) =
				(struct device_row){ .rank = device->rank, .name = alloc_text(name, strlen(name)) };
	}
}

static bool idle(const void *kept)
{
	return !((const struct device_ranks *)kept)->rows.count;
}

/* NULL: the stream is of no device that is a rank. */
static struct device_row *row_of(struct device_ranks *d, uint16_t stream)
{
	const struct def_stream *s = stream ? table_find(&d->process->defs.streams, stream) : NULL;

	return s ? table_find(&d->rows, s->device) : NULL;
}

static void take(void *kept, const struct trace_event *ev)
{
	struct device_row *row = row_of(kept, ev->stream);

	if (row && !ev->nested && !ev->result)
		row->calls[work_of(ev->kind)]++;
}

static void take_time(void *kept, const struct trace_device *dev)
{
	struct device_row *row = work_of(dev->kind) == WORK_OTHER ? NULL : row_of(kept, dev->stream);

	if (!row)
		return;
	row->timed++;
	spans_add(&row->busy, dev->begin_ns, dev->begin_ns + dev->duration_ns);
}

static int by_rank(const void *a, const void *b)
{
	const struct device_row *x = a, *y = b;

	return (x->rank.rank > y->rank.rank) - (x->rank.rank < y->rank.rank);
}

static void end(void *kept)
{
	struct device_ranks *d = kept;

	d->list = table_hand_over(&d->rows, &d->count, by_rank);
	for (size_t i = 0; i < d->count; i++) {
		d->list[i].busy_ns = spans_total(&d->list[i].busy);
		spans_free(&d->list[i].busy);
	}
}

static void let_go(void *kept)
{
	struct device_ranks *d = kept;

	for (size_t i = 0; i < d->count; i++)
		free(d->list[i].name);
	free(d->list);
}

static void parcel(struct parcel *p, void *kept)
{
	struct device_ranks *d = kept;

	for (size_t i = 0; parcel_has(p, i, &d->list, &d->count, sizeof(*d->list)); i++) {
		struct device_row *row = &d->list[i];

		parcel_text(p, &row->name);
		PARCEL(p, row->rank.rank);
		PARCEL(p, row->rank.size);
		PARCEL_U64S(p, row->calls);
		PARCEL(p, row->timed);
		PARCEL(p, row->busy_ns);
	}
}

/* ---- showing ---- */

static void put_row(struct out *o, const struct report *r, const struct device_row *row)
{
	char c[COLUMN];

	out_format(o, "%5" PRId64 " %8" PRIu64 " %10" PRIu64 " %10" PRIu64 " %11" PRIu64 " %13s  ", row->rank.rank, r->pid, row->calls[WORK_COMPUTE],
		   row->calls[WORK_COPY], row->calls[WORK_COMMUNICATION], row->timed ? column_duration(row->busy_ns, c) : "-");
	out_utf8(o, row->name);
	out_char(o, '\n');
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	bool head = false;

	(void)top;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < of(&reports[i])->count; k++) {
			if (!head)
				out_format(o, "\nRanks by device\n%5s %8s %10s %10s %11s %13s  %s\n", "RANK", "PID", "LAUNCHES", "COPIES",
					   "COLLECTIVES", "BUSY", "DEVICE");
			head = true;
			put_row(o, &reports[i], &of(&reports[i])->list[k]);
		}
	}
}

static void json_row(struct out *o, const struct device_row *row)
{
	out_format(o, "{\"rank\":%" PRId64, row->rank.rank);
	out_json_text(o, "device", row->name);
	out_json_number(o, "communicator_size", row->rank.size);
	out_json_number(o, "launches", row->calls[WORK_COMPUTE]);
	out_json_number(o, "copies", row->calls[WORK_COPY]);
	out_json_number(o, "collectives", row->calls[WORK_COMMUNICATION]);
	out_json_number(o, "timed", row->timed);
	out_json_number(o, "busy_ns", row->busy_ns);
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	out_text(o, ",\"device_ranks\":[");
	for (size_t i = 0; i < of(r)->count; i++) {
		out_json_comma(o, i);
		json_row(o, &of(r)->list[i]);
	}
	out_char(o, ']');
}

const struct section device_ranks_section = {
	.kept = sizeof(struct device_ranks),
	.begin = begin,
	.idle = idle,
	.visitor = { .event = take, .device = take_time },
	.kinds = KIND_BIT(EV_LAUNCH) | KIND_BIT(EV_COLLECTIVE) | KIND_BIT(EV_COPY) | KIND_BIT(EV_FILL) | KIND_BIT(EV_MAP),
	.end = end,
	.free = let_go,
	.parcel = parcel,
	.text = text,
	.json = json,
};
