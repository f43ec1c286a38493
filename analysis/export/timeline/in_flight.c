#include "analysis/export/timeline/in_flight.h"

struct change {
	uint64_t ns;
	int64_t by;
};

static void put_change(void *context, const void *item)
{
	const struct change *change = item;
	struct in_flight *f = context;

	f->count += change->by;
	/* Clocks of host and device may be apart: what is done before it began. */
	line_count(f->writer, &f->counter, change->ns, f->count > 0 ? (uint64_t)f->count : 0);
}

void in_flight_init(struct in_flight *f, struct line_writer *writer)
{
	*f = (struct in_flight){ .writer = writer };
	sorter_init(&f->sorter, sizeof(struct change), SORTER_WINDOW, put_change, f);
}

void in_flight_begin(struct in_flight *f, uint32_t pid)
{
	f->counter = (struct counter){ .pid = pid, .title = "in flight", .unit = "calls" };
	f->count = 0;
}

void in_flight_take(struct in_flight *f, uint64_t begin_ns, uint64_t end_ns)
{
	const struct change begins = { begin_ns, 1 }, ends = { end_ns, -1 };

	sorter_push(&f->sorter, begin_ns, 0, &begins);
	sorter_push(&f->sorter, end_ns, 1, &ends);
}

void in_flight_end(struct in_flight *f)
{
	sorter_flush(&f->sorter);
}

void in_flight_free(struct in_flight *f)
{
	sorter_free(&f->sorter);
}
