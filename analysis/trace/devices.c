#include "analysis/trace/devices.h"
#include "analysis/trace/trace.h"

struct device *devices_of_stream(const struct process *p, uint16_t stream)
{
	const struct def_stream *s = table_find(&p->defs.streams, stream);

	return s ? table_find(&p->defs.devices, s->device) : NULL;
}

bool trace_rank_on(const struct process *p, uint16_t stream, int64_t *rank)
{
	const struct device *device = stream ? devices_of_stream(p, stream) : NULL;
	bool of_device = device && device->has_rank;

	*rank = of_device ? device->rank.rank : p->rank;
	return of_device || p->has_rank;
}

/* Allocators number their pools in place of streams. */
bool trace_rank_of(const struct trace_event *ev, int64_t *rank)
{
	bool has_stream = ev->kind != EV_POOL_ALLOC && ev->kind != EV_POOL_FREE;

	return trace_rank_on(ev->process, has_stream ? ev->stream : 0, rank);
}

const char *trace_time_source(const struct process *p, uint16_t stream)
{
	const struct device *device = devices_of_stream(p, stream);

	return device ? device->source : NULL;
}

uint64_t devices_time(struct process *p, struct device *device, uint64_t device_ns)
{
	/* Never calibrated: the best guess is a device that reads the host's own clock. */
	if (!device || !device->to_host.count)
		return p->realtime_offset + device_ns;
	return timeline_convert(&device->to_host, device_ns);
}
