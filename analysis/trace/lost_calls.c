#include "analysis/trace/lost_calls.h"

/* The step at these ticks, by the epochs of all files, which stand in their order. */
static int64_t step_at(const struct table *epochs, uint64_t ticks)
{
	size_t low = 0, high = epochs->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct def_epoch *def = table_item(epochs, middle);

		if (def->begin <= ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? ((const struct def_epoch *)table_item(epochs, low - 1))->step : STEP_NULL;
}

void lost_calls_tell(const struct visitor *v, struct process *p, const struct def_lost *def)
{
	struct trace_lost lost = {
		.process = p,
		.calls = def->calls,
		.begin_ns = process_time(p, def->since),
		.end_ns = process_time(p, def->until > def->since ? def->until : def->since),
		.first_step = step_at(&p->defs.epochs, def->since),
		.last_step = step_at(&p->defs.epochs, def->until),
		.tid = (uint32_t)def->tid,
	};

	if (v->lost)
		v->lost(v->context, &lost);
}
