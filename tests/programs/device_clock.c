/* device_clock TRACE... - `begin duration` of every device time, in ns of the device's own clock, in the order of writing. */
#include <stdio.h>

#include "analysis/trace/trace.h"

static void print(void *context, const struct trace_device *dev)
{
	(void)context;
	printf("%llu %llu\n", (unsigned long long)dev->begin_ns, (unsigned long long)dev->duration_ns);
}

/* A device whose clock nobody compared with the host's is taken for the host. */
static void forget_clocks(struct process *p)
{
	for (size_t i = 0; i < p->defs.devices.count; i++)
		timeline_free(&((struct device *)table_item(&p->defs.devices, i))->to_host);
}

int main(int argc, char **argv)
{
	struct visitor v = { .device = print };
	struct trace t;

	trace_open(&t, argv + 1, argc - 1);
	for (size_t i = 0; i < t.count; i++) {
		if (process_load(&t.processes[i]))
			continue;
		forget_clocks(&t.processes[i]);
		process_events(&t.processes[i], &v);
		process_unload(&t.processes[i]);
	}
	trace_close(&t);
	return t.trouble;
}
