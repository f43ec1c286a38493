/* never_freed.c - section: memory that was allocated while recorded, and not freed: by entry point, or by allocator. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/allocators.h"
#include "analysis/report/columns.h"
#include "analysis/report/memory.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

struct line {
	const struct report *of;
	const char *name;
	const char *by; /* as JSON calls it */
	uint64_t count, bytes;
};

static const struct memory *of(const struct report *r)
{
	return r->sections[SECTION_memory];
}

static int most_first(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* For free(). */
static struct line *lines_of(const struct report *reports, size_t count, size_t *lines)
{
	struct line *list;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += of(&reports[i])->unfreed_count + of(&reports[i])->allocator_count;
	list = alloc_zero(n + 1, sizeof(*list));
	n = 0;
	for (size_t i = 0; i < count; i++) {
		const struct memory *m = of(&reports[i]);

		for (size_t k = 0; k < m->unfreed_count; k++)
			list[n++] = (struct line){ &reports[i], m->unfreed[k].name, "entry_point", m->unfreed[k].count, m->unfreed[k].bytes };
		for (size_t k = 0; k < m->allocator_count; k++) {
			const struct allocator_row *row = &m->allocators[k];

			if (row->handed_out.unfreed)
				list[n++] = (struct line){ &reports[i], allocators_name(row), "pool", row->handed_out.unfreed,
							   row->handed_out.unfreed_bytes };
		}
	}
	qsort(list, n, sizeof(*list), most_first);
	*lines = n;
	return list;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	size_t n;
	struct line *lines = lines_of(reports, count, &n);
	char c[2][COLUMN];

	if (n) {
		out_format(o, "\nNever freed (%zu of %zu)\n%5s ", n < top ? n : top, n, "RANK");
		column_process_head(o, &reports[0]);
		out_format(o, "%12s %13s  %s\n", "ALLOCATIONS", "BYTES", "ENTRY POINT, OR ALLOCATOR");
	}
	for (size_t i = 0; i < n && i < top; i++) {
		out_format(o, "%5s ", column_rank(lines[i].of, c[0]));
		column_process(o, lines[i].of);
		out_format(o, "%12" PRIu64 " %13s  ", lines[i].count, column_bytes(lines[i].bytes, c[1]));
		out_utf8(o, lines[i].name);
		out_char(o, '\n');
	}
	free(lines);
}

static void json(struct out *o, const struct report *r)
{
	size_t n;
	struct line *lines = lines_of(r, 1, &n);

	out_json_key(o, "never_freed");
	out_char(o, '[');
	for (size_t i = 0; i < n; i++) {
		out_text(o, i ? ",{\"name\":" : "{\"name\":");
		out_json(o, lines[i].name);
		out_json_text(o, "by", lines[i].by);
		out_json_number(o, "count", lines[i].count);
		out_json_number(o, "bytes", lines[i].bytes);
		out_char(o, '}');
	}
	out_char(o, ']');
	free(lines);
}

const struct section never_freed_section = { .all_steps = true, .of_calls = true, .text = text, .json = json };
