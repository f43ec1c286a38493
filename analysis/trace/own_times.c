#include "analysis/trace/own_times.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

struct recent_call {
	uint64_t begin, duration;
};

uint64_t own_times_take(struct own_times *t, const struct trace_event *ev)
{
	struct recent_calls *r = table_put(&t->rings, ev->ring);
	uint64_t inside = 0;

	for (; r->count && r->list[r->count - 1].begin >= ev->begin_ns; r->count--)
		inside += r->list[r->count - 1].duration;
	if (!r->list)
		r->list = alloc_zero(OWN_TIMES_MOST, sizeof(*r->list));
	if (r->count == OWN_TIMES_MOST) {
		r->count /= 2;
		memmove(r->list, r->list + r->count, r->count * sizeof(*r->list));
	}
	r->list[r->count++] = (struct recent_call){ ev->begin_ns, ev->duration_ns };
	return inside < ev->duration_ns ? ev->duration_ns - inside : 0;
}

void own_times_free(struct own_times *t)
{
	for (size_t i = 0; i < t->rings.count; i++)
		free(((struct recent_calls *)table_item(&t->rings, i))->list);
	table_free(&t->rings);
}
