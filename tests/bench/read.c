/* read TRACE... - every event and device time of the traces, resolved and counted: reading alone. Prints `events times`. */
#include <stdio.h>

#include "analysis/trace/trace.h"

struct counts {
	uint64_t events, times;
};

static void take_event(void *context, const struct trace_event *ev)
{
	struct counts *counts = context;

	counts->events += ev->kind <= EV_KINDS;
}

static void take_device(void *context, const struct trace_device *dev)
{
	struct counts *counts = context;

	counts->times += dev->kind <= EV_KINDS;
}

static void read_all(struct trace *t, struct counts *counts)
{
	struct visitor v = { .event = take_event, .device = take_device, .context = counts };

	for (size_t i = 0; i < t->count; i++) {
		if (process_load(&t->processes[i]))
			continue;
		process_events(&t->processes[i], &v);
		process_unload(&t->processes[i]);
	}
}

int main(int argc, char **argv)
{
	struct counts counts = { 0, 0 };
	struct trace t;

	trace_open(&t, argv + 1, argc - 1);
	read_all(&t, &counts);
	printf("%llu %llu\n", (unsigned long long)counts.events, (unsigned long long)counts.times);
	trace_close(&t);
	return t.trouble;
}
