/* wrap.c - the exported functions of the OpenCL rows, and the short way of the one called most. */
#include "hooks/opencl/words.h"
#include "hooks/opencl/opencl.def"
#include "hooks/opencl/extensions.def"

typedef cl_int (*launch_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
			    cl_uint, const cl_event *, cl_event *);

/* Something is not as it was the last time: does all that the row says, and learns from it. */
static NOINLINE cl_int short_way_missed(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
					const size_t *global, const size_t *local, cl_uint n, const cl_event *list,
					cl_event *event)
{
	void *real = hook_real(HOOK_clEnqueueNDRangeKernel);
	uint64_t now = launch_cache_now();
	cl_int rc;

	UNWINDS;
	if (!real)
		real = hook_resolve(HOOK_clEnqueueNDRangeKernel, NULL);
	rc = body_clEnqueueNDRangeKernel(real, NULL, queue, kernel, dims, offset, global, local, n, list, event);
	if (!rc)
		opencl_learn(queue, kernel, dims, global, local, real, now);
	return rc;
}

ALWAYS_INLINE bool short_way_end(struct producer *p, struct ring_header *r, const struct launch *l, uint64_t key,
				 uint64_t begin, uint64_t ticks)
{
	return LIKELY(ticks < UINT32_MAX) && record_end(p, r, begin, (uint32_t)ticks, l->names, key);
}

/* Of other sizes than the last; or refused, very long, at the end of the room, under another word of the gate. */
static __attribute__((noinline)) cl_int short_way_exception(struct launch *l, cl_int rc, uint64_t begin, uint64_t ticks,
							    const size_t *global, const size_t *local)
{
	cl_kernel kernel = (cl_kernel)(uintptr_t)l->function;
	struct producer *p = &producer;
	uint64_t key = l->key;

	if (rc || !launch_sizes_are(l, global, local)) {
		key = opencl_launch(kernel, opencl_kernel(kernel), !rc, l->dims, global, local);
		if (!rc && launch_unlike(l))
			launch_cache_resize(l, key, l->dims, global, local);
		if (!rc && short_way_end(p, p->ring, l, key, begin, ticks))
			return rc;
	}
	if (p->word) { /* otherwise this is a forked child now */
		struct call c = { .result = rc, .slot = ticks, .word = p->word };

		c.event = (struct event){ begin, ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX, (uint16_t)l->names, (uint16_t)(l->names >> 16), key, 0 };
		atomic_store_explicit(&p->ring->call_hook, 0, memory_order_relaxed);
		ring_write_event(&c);
	}
	return rc;
}

cl_int short_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
				    const size_t *global, const size_t *local, cl_uint n, const cl_event *list,
				    cl_event *event);
cl_int short_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
				    const size_t *global, const size_t *local, cl_uint n, const cl_event *list,
				    cl_event *event)
{
	struct producer *p = &producer;
	struct launch *l;
	struct ring_header *r;
	uint64_t begin, ticks;
	cl_int rc;

	UNWINDS;
	begin = record_clock(p);
	record_turn(p, EV_LAUNCH);
	l = launch_cache_set(p->launches, (uintptr_t)kernel);
	if (UNLIKELY(l->function != (uintptr_t)kernel))
		l++;
	if (UNLIKELY(l->function != (uintptr_t)kernel || l->queue != (uintptr_t)queue || l->dims != dims ||
		     launch_cache_now() != l->stamp || !global)) {
		record_turn_back(p);
		return short_way_missed(queue, kernel, dims, offset, global, local, n, list, event);
	}
	record_begin(p, HOOK_clEnqueueNDRangeKernel, begin);
	rc = ((launch_fn)l->real)(queue, kernel, dims, offset, global, local, n, list, event);
	r = p->ring;
	begin = record_begun(r);
	ticks = clock_raw() - begin;
	if (LIKELY(!rc && launch_sizes_are(l, global, local)) && LIKELY(short_way_end(p, r, l, l->key, begin, ticks)))
		return rc;
	return short_way_exception(l, rc, begin, ticks, global, local);
}
