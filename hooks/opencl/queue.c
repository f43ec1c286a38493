/* queue.c - tracks command queues: their numbers, devices and references. */
#include "agent/record/doorbell.h"
#include "agent/record/handles.h"
#include "hooks/capture/devices.h"
#include "hooks/link/resolve.h"
#include "hooks/opencl/tracking.h"

struct handles opencl_queues;

static uint32_t device_of(cl_device_id device)
{
	typedef cl_int (*info_fn)(cl_device_id, cl_uint, size_t, void *, size_t *);
	static _Atomic(void *) cache;
	uint32_t id = device_known((uintptr_t)device);
	char name[256] = "";
	info_fn info;

	if (id)
		return id;
	info = hook_vendor(&cache, "clGetDeviceInfo");
	if (info)
		info(device, CL_DEVICE_NAME, sizeof(name) - 1, name, NULL);
	id = device_id((uintptr_t)device, name);
	device_source(id, "profiling");
	return id;
}

void opencl_new_queue(cl_command_queue queue, cl_device_id device, uint64_t properties, uint32_t flags)
{
	uint32_t dev = device ? device_of(device) : 0;
	uint32_t id = stream_id((uintptr_t)queue, dev, properties & CL_QUEUE_OUT_OF_ORDER);

	handles_put(&opencl_queues, (uintptr_t)queue, id | (dev & 0xffff) << 16 | (uint64_t)flags << 32, 1);
	launch_cache_void();
}

uint32_t opencl_queue_flags(cl_command_queue queue)
{
	struct handle_slot *s = handles_get(&opencl_queues, (uintptr_t)queue);

	return s ? (uint32_t)(s->a >> 32) : 0;
}

uint16_t opencl_stream_slowly(cl_command_queue queue, bool good)
{
	struct handle_slot *s = handles_get(&opencl_queues, (uintptr_t)queue);

	if (s || !queue || !good)
		return s ? (uint16_t)s->a : 0;
	opencl_new_queue(queue, NULL, 0, 0); /* made on a road that we did not see */
	s = handles_get(&opencl_queues, (uintptr_t)queue);
	return s ? (uint16_t)s->a : 0;
}

bool opencl_timeable(cl_command_queue queue, uint32_t *device)
{
	struct handle_slot *s = handles_get(&opencl_queues, (uintptr_t)queue);

	*device = s ? (uint32_t)(s->a >> 16) & 0xffff : 0;
	return s && (s->a >> 32) & (QUEUE_FORCED | QUEUE_ASKED);
}

void opencl_retain_queue(cl_command_queue queue)
{
	handles_retain(&opencl_queues, (uintptr_t)queue);
}

/* The number ends with the last reference: the runtime may give the same handle to another queue. */
void opencl_release_queue(cl_command_queue queue)
{
	struct handle_slot *s;

	if (atomic_load(&doorbell.pending) > 0)
		opencl_harvest();
	s = handles_release(&opencl_queues, (uintptr_t)queue);
	/* A forced one is remembered: its events, which the program may still hold, have no times. */
	if (s && !(s->a >> 32 & QUEUE_FORCED)) {
		handles_forget(s);
		launch_cache_void();
	}
}
