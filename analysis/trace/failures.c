#include "analysis/trace/failures.h"

#include <string.h>

void failures_init(struct failures *f)
{
	*f = (struct failures){ .rows = TABLE(struct failure) };
}

/* Both in one number that nobody can choose: names differ by where they are. */
static uint64_t key_of(const struct trace_event *ev)
{
	return (uintptr_t)ev->name * table_multiplier() + (uint64_t)ev->result;
}

void failures_take(struct failures *f, const struct trace_event *ev)
{
	struct failure *row = table_find(&f->rows, key_of(ev));

	f->total++;
	if (!row && f->rows.count == FAILURES_MAX) {
		f->left_out++;
		return;
	}
	if (!row) {
		row = table_add(&f->rows, key_of(ev));
		*row = (struct failure){ .name = ev->name, .result = ev->result, .first = UINT64_MAX };
	}
	row->count++;
	if (ev->begin_ns < row->first) {
		row->first = ev->begin_ns;
		row->step = ev->step;
	}
}

static int by_count(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return order ? order : (x->result > y->result) - (x->result < y->result);
}

struct failure *failures_hand_over(struct failures *f, size_t *count)
{
	return table_hand_over(&f->rows, count, by_count);
}
