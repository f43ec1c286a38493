/* collectives.c - section: collectives by group and operation. The ranks of a group are joined by its number, equal on all of them. */
#include "analysis/report/collectives.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

#define SHOWN 1000 /* of a process, in JSON */

struct collective_row {
	char *operation, *communicator; /* the latter "": not known */
	char number[20];		/* of the group, "0x..."; "": not known */
	uint32_t size;			/* ranks of the group; 0: not known */
	int32_t rank;			/* in it; -1: not known */
	uint64_t count, bytes, host_ns, device_ns, timed;
	uint64_t ranks, least, most; /* over several: how many made it, and how often each */
};

static struct collectives *of(const struct report *r)
{
	return r->sections[SECTION_collectives];
}

/* ---- one process ---- */

static struct collective_row *row_of(struct collectives *c, const struct collective *collective, uint16_t hook, const char *operation)
{
	const struct communicator *comm = collective ? collective->communicator : NULL;
	struct collective_row *row = table_put(&c->rows, (uint64_t)(uintptr_t)comm << 16 | hook);
	const char *name = comm && comm->name ? comm->name : "";

	if (row->operation)
		return row;
	row->operation = alloc_text(operation, strlen(operation));
	row->communicator = alloc_text(name, strlen(name));
	row->rank = comm ? comm->def.rank : -1;
	row->size = comm ? comm->def.size : 0;
	snprintf(row->number, sizeof(row->number), "%s", comm ? comm->group : "");
	return row;
}

void collectives_take(struct collectives *c, const struct trace_event *ev)
{
	struct collective_row *row = row_of(c, ev->definition, ev->hook, ev->name);

	row->count++;
	row->bytes += ev->bytes;
	row->host_ns += ev->duration_ns;
}

void collectives_time(struct collectives *c, const struct trace_device *dev)
{
	struct collective_row *row = row_of(c, dev->collective, dev->hook, dev->name);

	row->timed++;
	row->device_ns += dev->duration_ns;
}

/* Where no number tells which group it is, its name and size have to do. */
static int by_group(const struct collective_row *x, const struct collective_row *y)
{
	int order = strcmp(x->number, y->number);

	if (!order && !*x->number)
		order = strcmp(x->communicator, y->communicator);
	if (!order)
		order = (x->size > y->size) - (x->size < y->size);
	return order ? order : strcmp(x->operation, y->operation);
}

static int by_rank(const void *a, const void *b)
{
	const struct collective_row *x = a, *y = b;
	int order = by_group(x, y);

	return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_time(const void *a, const void *b)
{
	const struct collective_row *x = a, *y = b;

	if (x->device_ns != y->device_ns)
		return x->device_ns < y->device_ns ? 1 : -1;
	if (x->host_ns != y->host_ns)
		return x->host_ns < y->host_ns ? 1 : -1;
	return by_rank(a, b);
}

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	(void)p;
	(void)asked;
	((struct collectives *)kept)->rows = TABLE(struct collective_row);
}

static void end(void *kept)
{
	struct collectives *c = kept;

	c->list = table_hand_over(&c->rows, &c->count, by_rank);
}

static void let_go(void *kept)
{
	struct collectives *c = kept;

	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].operation);
		free(c->list[i].communicator);
	}
	free(c->list);
}

static void parcel(struct parcel *p, void *kept)
{
	struct collectives *c = kept;

	for (size_t i = 0; parcel_has(p, i, &c->list, &c->count, sizeof(*c->list)); i++) {
		struct collective_row *row = &c->list[i];

		parcel_text(p, &row->operation);
		parcel_text(p, &row->communicator);
		parcel_short_text(p, row->number, sizeof(row->number));
		PARCEL(p, row->size);
		PARCEL(p, row->rank);
		PARCEL(p, row->count);
		PARCEL(p, row->bytes);
		PARCEL(p, row->host_ns);
		PARCEL(p, row->device_ns);
		PARCEL(p, row->timed);
	}
}

/* ---- the table, over all processes ---- */

static void add(struct collective_row *to, const struct collective_row *from)
{
	to->count += from->count;
	to->bytes += from->bytes;
	to->host_ns += from->host_ns;
	to->device_ns += from->device_ns;
	to->timed += from->timed;
}

/* Rows that are the same become one, and those of a rank are sorted behind each other. */
static size_t fold(struct collective_row *rows, size_t count, bool (*same)(const struct collective_row *x, const struct collective_row *y))
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct collective_row *last = kept ? &rows[kept - 1] : NULL;

		if (!last || !same(last, &rows[i])) {
			rows[kept++] = rows[i];
			continue;
		}
		add(last, &rows[i]);
		last->ranks += rows[i].ranks;
		last->least = rows[i].least < last->least ? rows[i].least : last->least;
		last->most = rows[i].most > last->most ? rows[i].most : last->most;
	}
	return kept;
}

/* One rank of a group that was made anew, or met twice: two processes that do not know theirs are two. */
static bool is_same_rank(const struct collective_row *x, const struct collective_row *y)
{
	return x->rank >= 0 && !by_rank(x, y);
}

static bool is_same_group(const struct collective_row *x, const struct collective_row *y)
{
	return !by_group(x, y);
}

/* The caller frees the list, not the texts. */
static struct collective_row *join(const struct report *reports, size_t count, size_t *joined)
{
	struct collective_row *rows;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += of(&reports[i])->count;
	rows = alloc_zero(n, sizeof(*rows));
	n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < of(&reports[i])->count; k++)
			rows[n++] = of(&reports[i])->list[k];
	qsort(rows, n, sizeof(*rows), by_rank);
	n = fold(rows, n, is_same_rank);
	for (size_t i = 0; i < n; i++) {
		rows[i].ranks = 1;
		rows[i].least = rows[i].most = rows[i].count;
	}
	*joined = fold(rows, n, is_same_group);
	qsort(rows, *joined, sizeof(*rows), by_time);
	return rows;
}

static void put_row(struct out *o, const struct collective_row *row, bool partly)
{
	char each[2 * COLUMN], ranks[2 * COLUMN], c[4][COLUMN];

	snprintf(each, sizeof(each), row->least == row->most ? "%" PRIu64 : "%" PRIu64 "-%" PRIu64, row->least, row->most);
	snprintf(ranks, sizeof(ranks), row->size ? "%" PRIu64 " of %" PRIu32 : "%" PRIu64, row->ranks, row->size);
	out_format(o, "%10" PRIu64 " %11s %10s %13s %s%13s %13s  ", row->count, each, ranks, column_bytes(row->bytes, c[0]),
		   column_timed(partly, row->timed, c[1]), row->timed ? column_duration(row->device_ns, c[2]) : "-",
		   column_duration(row->host_ns, c[3]));
	out_utf8(o, row->operation);
	out_text(o, "  ");
	out_utf8(o, *row->communicator ? row->communicator : "-");
	out_char(o, '\n');
}

static bool is_partly_timed(const struct collective_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].timed && rows[i].timed < rows[i].count)
			return true;
	return false;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n;
	struct collective_row *rows = join(reports, count, &n);
	size_t shown = n < top ? n : top;
	bool partly = is_partly_timed(rows, shown);

	if (n)
		out_format(o, "\nCollectives by group (%zu of %zu)\n%10s %11s %10s %13s %s%13s %13s  %s\n", shown, n, "CALLS", "A RANK", "RANKS",
			   "BYTES", partly ? COLUMN_TIMED : "", "DEVICE", "HOST", "NAME, COMMUNICATOR");
	for (size_t i = 0; i < shown; i++)
		put_row(o, &rows[i], partly);
	free(rows);
}

/* ---- as JSON ---- */

static void json_row(struct out *o, const struct collective_row *row)
{
	out_text(o, "{\"name\":");
	out_json(o, row->operation);
	out_json_text(o, "communicator", *row->communicator ? row->communicator : NULL);
	out_json_text(o, "communicator_group", *row->number ? row->number : NULL);
	out_format(o, row->rank < 0 ? ",\"communicator_rank\":null" : ",\"communicator_rank\":%" PRId32, row->rank);
	out_format(o, row->size ? ",\"communicator_size\":%" PRIu32 : ",\"communicator_size\":null", row->size);
	out_json_number(o, "count", row->count);
	out_json_number(o, "bytes", row->bytes);
	out_json_number(o, "host_ns", row->host_ns);
	out_json_number(o, "device_ns", row->device_ns);
	out_json_number(o, "timed", row->timed);
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	const struct collectives *c = of(r);
	size_t most = report_rows(r, SHOWN);

	out_text(o, ",\"collectives\":[");
	for (size_t i = 0; i < c->count && i < most; i++) {
		out_json_comma(o, i);
		json_row(o, &c->list[i]);
	}
	out_char(o, ']');
	if (c->count > most)
		out_json_number(o, "collectives_left_out", c->count - most);
}

const struct section collectives_section = {
	.kept = sizeof(struct collectives),
	.begin = begin,
	.end = end,
	.free = let_go,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
};
