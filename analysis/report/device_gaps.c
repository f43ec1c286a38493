/* device_gaps.c - section: what the host did while the device did nothing, inside of steps. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/gaps.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

static const struct {
	const char *word, *text;
} kinds[GAP_KINDS] = {
	[GAP_CALL] = { "call", NULL },
	[GAP_BETWEEN] = { "between_calls", "(between two calls)" },
	[GAP_GIVEN] = { "given", "(work was given, and had not begun)" },
	[GAP_OTHER_STEP] = { "other_step", "(work of an earlier step ran)" },
	[GAP_NOT_TOLD] = { "not_told", "(not told)" },
};

static const struct gaps *of(const struct report *r)
{
	return r->sections[SECTION_device_gaps];
}

/* A row, and of which process its longest gap is. */
struct line {
	struct gap_row row;
	const struct report *of;
};

static int by_name(const void *a, const void *b)
{
	return gap_rows_order(&((const struct line *)a)->row, &((const struct line *)b)->row);
}

static int most_first(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->row.total != y->row.total)
		return x->row.total < y->row.total ? 1 : -1;
	return by_name(a, b);
}

static void join(struct line *line, const struct line *other)
{
	if (other->row.longest > line->row.longest)
		line->of = other->of;
	gap_row_join(&line->row, &other->row);
}

/* A row a name, those that took most first; the names are the processes'. */
static struct line *lines_of(const struct report *reports, size_t count, size_t *lines)
{
	size_t n = 0, kept = 0;
	struct line *list;

	for (size_t i = 0; i < count; i++)
		n += of(&reports[i])->count;
	list = alloc_zero(n + 1, sizeof(*list));
	n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < of(&reports[i])->count; k++)
			list[n++] = (struct line){ of(&reports[i])->list[k], &reports[i] };
	qsort(list, n, sizeof(*list), by_name);
	for (size_t i = 0; i < n; i++) {
		if (kept && !by_name(&list[kept - 1], &list[i]))
			join(&list[kept - 1], &list[i]);
		else
			list[kept++] = list[i];
	}
	qsort(list, kept, sizeof(*list), most_first);
	*lines = kept;
	return list;
}

static void put_line(struct out *o, const struct line *line, uint64_t all, bool several)
{
	char c[3][COLUMN];

	out_format(o, "%10" PRIu64 " %13s %5.1f %% %13s  ", line->row.count, column_duration(line->row.total, c[0]),
		   all ? 100.0 * (double)line->row.total / (double)all : 0.0, column_duration(line->row.longest, c[1]));
	out_utf8(o, line->row.name ? line->row.name : kinds[line->row.kind].text);
	out_format(o, "  step %" PRId64, line->row.longest_step);
	if (several) {
		out_format(o, " of rank %s", column_rank(line->of, c[2]));
		column_of_process(o, line->of);
	}
	out_char(o, '\n');
}

/* The same as in the table of steps. */
static void say_idle(struct out *o, const struct report *reports, size_t count)
{
	uint64_t idle = 0, outside = 0, steps = 0;
	char c[2][COLUMN];

	for (size_t i = 0; i < count; i++) {
		idle += of(&reports[i])->idle;
		outside += of(&reports[i])->ran_outside;
		steps += of(&reports[i])->steps;
	}
	out_format(o, "idle of %" PRIu64 " step%s: %s", steps, steps == 1 ? "" : "s", column_duration(idle, c[0]));
	if (outside)
		out_format(o, "; %s more lie in gaps, as so much of these steps' work ran before or after them", column_duration(outside, c[1]));
	out_char(o, '\n');
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	uint64_t all = 0;
	size_t n;
	struct line *lines = lines_of(reports, count, &n);

	for (size_t i = 0; i < n; i++)
		all += lines[i].row.total;
	if (n)
		out_format(o, "\nGaps on the device by the host's call (%zu of %zu)\n%10s %13s %7s %13s  %s\n", n < top ? n : top, n, "GAPS",
			   "TOTAL", "SHARE", "LONGEST", "CALL, THE LONGEST ONE'S STEP");
	for (size_t i = 0; i < n && i < top; i++)
		put_line(o, &lines[i], all, count > 1);
	if (n)
		say_idle(o, reports, count);
	free(lines);
}

static void json(struct out *o, const struct report *r)
{
	size_t n;
	struct line *lines = lines_of(r, 1, &n);

	out_json_key(o, "device_gaps");
	out_char(o, '[');
	for (size_t i = 0; i < n; i++) {
		const struct gap_row *row = &lines[i].row;

		out_text(o, i ? ",{\"during\":" : "{\"during\":");
		out_json(o, kinds[row->kind].word);
		out_json_text(o, "name", row->name);
		out_json_number(o, "count", row->count);
		out_json_number(o, "total_ns", row->total);
		out_json_number(o, "longest_ns", row->longest);
		out_json_key(o, "longest_step");
		out_i64(o, row->longest_step);
		out_char(o, '}');
	}
	out_char(o, ']');
	out_json_number(o, "device_gaps_idle_ns", of(r)->idle);
	out_json_number(o, "device_gaps_ran_outside_ns", of(r)->ran_outside);
	free(lines);
}

static void let_go(void *kept)
{
	gaps_free(kept);
}

static void parcel(struct parcel *p, void *kept)
{
	struct gaps *g = kept;

	for (size_t i = 0; parcel_has(p, i, &g->list, &g->count, sizeof(*g->list)); i++) {
		struct gap_row *row = &g->list[i];

		parcel_text_or_none(p, &row->name);
		PARCEL_ENUM(p, row->kind, GAP_KINDS);
		p->broken |= (row->kind == GAP_CALL) != (row->name != NULL);
		PARCEL(p, row->count);
		PARCEL(p, row->total);
		PARCEL(p, row->longest);
		PARCEL(p, row->longest_step);
	}
	PARCEL(p, g->steps);
	PARCEL(p, g->idle);
	PARCEL(p, g->ran_outside);
}

const struct section device_gaps_section = {
	.kept = sizeof(struct gaps),
	.free = let_go,
	.parcel = parcel,
	.of_calls = true,
	.text = text,
	.json = json,
};
