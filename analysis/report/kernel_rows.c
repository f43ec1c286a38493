#include "analysis/report/kernel_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

static int by_name(const void *a, const void *b)
{
	const struct kernel_row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (int)x->kind - (int)y->kind;
}

int kernel_rows_order(const void *a, const void *b)
{
	const struct kernel_row *x = a, *y = b;
	uint64_t time_x = x->timed ? x->device_ns : x->host_ns;
	uint64_t time_y = y->timed ? y->device_ns : y->host_ns;

	if (!x->timed != !y->timed)
		return x->timed ? -1 : 1;
	return time_x != time_y ? (time_x < time_y) - (time_x > time_y) : by_name(a, b);
}

/* All rows of all processes, one behind the other. */
static struct kernel_row *gather(const struct report *reports, size_t count, bool shaped, size_t *gathered)
{
	struct kernel_row *rows;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += shaped ? reports[i].shaped_count : reports[i].kernel_count;
	rows = alloc_zero(n, sizeof(*rows));
	*gathered = n;
	n = 0;
	for (size_t i = 0; i < count; i++) {
		size_t more = shaped ? reports[i].shaped_count : reports[i].kernel_count;

		if (more)
			memcpy(&rows[n], shaped ? reports[i].shaped : reports[i].kernels, more * sizeof(*rows));
		n += more;
	}
	return rows;
}

struct kernel_row *kernel_rows_join(const struct report *reports, size_t count, bool shaped, size_t *joined)
{
	size_t n, kept = 0;
	struct kernel_row *rows = gather(reports, count, shaped, &n);

	*joined = 0;
	if (!n)
		return rows;
	qsort(rows, n, sizeof(*rows), by_name);
	for (size_t i = 1; i < n; i++) {
		if (by_name(&rows[kept], &rows[i])) {
			rows[++kept] = rows[i];
			continue;
		}
		rows[kept].count += rows[i].count;
		rows[kept].host_ns += rows[i].host_ns;
		rows[kept].device_ns += rows[i].device_ns;
		rows[kept].timed += rows[i].timed;
	}
	*joined = kept + 1;
	qsort(rows, *joined, sizeof(*rows), kernel_rows_order);
	return rows;
}
