#include "analysis/html/step_matrix.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/report/step_rows.h"

#define NAME_MOST 64 /* bytes */

static void put_step(struct out *o, const struct step_row *row, uint64_t base)
{
	out_format(o, "[%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d]", row->step, (int64_t)(row->begin - base), step_row_length(row),
		   row->sums[WORK_COMPUTE], row->not_overlapped, row->sums[WORK_COPY], row->idle, row->by_device);
}

/* No longer than names of hosts are: there may be thousands. */
static void put_name(struct out *o, const char *key, const char *name)
{
	char text[NAME_MOST + 1];

	if (name)
		snprintf(text, sizeof(text), "%s", name);
	out_json_text(o, key, name ? text : NULL);
}

/* Returns how many steps it has beyond those. */
static size_t put_rank(struct out *o, const struct report *r, uint64_t base, size_t most)
{
	size_t count = 0, left_out = 0;

	report_json_begin(o, r);
	out_json_number(o, "pid", r->pid);
	put_name(o, "host", report_fact(r, "host"));
	put_name(o, "group", report_fact(r, "worker_group"));
	out_text(o, ",\"steps\":[");
	for (size_t i = 0; i < r->step_count; i++) {
		if (r->steps[i].step == STEP_NULL)
			continue;
		if (count == most) {
			left_out++;
			continue;
		}
		out_json_comma(o, count++);
		put_step(o, &r->steps[i], base);
	}
	out_text(o, "]}");
	return left_out;
}

void step_matrix_json(struct out *o, const struct reports *all, uint64_t base, size_t most)
{
	size_t each = all->count ? (most + all->count - 1) / all->count : 0, left_out = 0;

	out_text(o, "{\"columns\":[\"step\",\"begin_ns\",\"e2e_ns\",\"compute_ns\",\"communication_not_overlapped_ns\",\"copy_ns\",\"idle_ns\",\"by_device\"],\"ranks\":[");
	for (size_t i = 0; i < all->count; i++) {
		out_text(o, i ? ",\n" : "\n");
		left_out += put_rank(o, &all->list[i], base, each);
	}
	out_char(o, ']');
	out_json_number(o, "left_out", left_out);
	out_text(o, "}\n");
}
