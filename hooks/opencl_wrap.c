/* opencl_wrap.c - the exported functions of the OpenCL rows, and the short way of the one called most. */
#include "hooks/opencl_words.h"
#include "hooks/opencl.def"
#include "hooks/opencl_ext.def"

typedef cl_int (*launch_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
			    cl_uint, const cl_event *, cl_event *);

/* Something is not as it was the last time: does all that the row says, and learns from it. */
static NOINLINE cl_int unlike(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
			      const size_t *global, const size_t *local, cl_uint n, const cl_event *list,
			      cl_event *event)
{
	void *real = hook_real(HOOK_clEnqueueNDRangeKernel);
	uint64_t now = launches_now();
	cl_int rc;

	UNWINDS;
	if (!real)
		real = hook_resolve(HOOK_clEnqueueNDRangeKernel, NULL);
	rc = body_clEnqueueNDRangeKernel(real, NULL, queue, kernel, dims, offset, global, local, n, list, event);
	if (!rc)
		opencl_learn(queue, kernel, dims, global, local, real, now);
	return rc;
}

/* Refused, very long, at the end of the ring's room, or the gate's word has changed. */
static NOINLINE void odd(const struct launch *l, int64_t rc, uint64_t begin, uint64_t ticks)
{
	struct producer *p = &producer;
	cl_kernel kernel = (cl_kernel)(uintptr_t)l->function;
	uint64_t key = rc ? opencl_launch(kernel, opencl_kernel(kernel), false, 0, NULL, NULL) : l->key;
	struct call c = {
		.event = { .begin = begin,
			   .duration = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX,
			   .hook = HOOK_clEnqueueNDRangeKernel,
			   .stream = l->stream,
			   .key = key },
		.result = rc,
		.slot = ticks,
		.word = p->word,
	};

	if (p->word) { /* otherwise this is a forked child now */
		atomic_store_explicit(&p->ring->call_hook, 0, memory_order_relaxed);
		record_write_slowly(&c);
	}
}

cl_int short_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
				    const size_t *global, const size_t *local, cl_uint n, const cl_event *list,
				    cl_event *event);
cl_int short_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
				    const size_t *global, const size_t *local, cl_uint n, const cl_event *list,
				    cl_event *event)
{
	struct producer *p = &producer;
	struct launch *l = launches_set(p->launches, (uintptr_t)kernel);
	struct ring_header *r;
	uint64_t begin, ticks;
	cl_int rc;

	UNWINDS;
	if (UNLIKELY(l->function != (uintptr_t)kernel))
		l++;
	if (UNLIKELY(l->function != (uintptr_t)kernel || l->queue != (uintptr_t)queue || l->dims != dims ||
		     l->stamp != launches_now() || !global))
		return unlike(queue, kernel, dims, offset, global, local, n, list, event);
	record_begin(p, HOOK_clEnqueueNDRangeKernel, EV_LAUNCH);
	rc = ((launch_fn)l->real)(queue, kernel, dims, offset, global, local, n, list, event);
	r = p->ring;
	begin = atomic_load_explicit(&r->call_begin, memory_order_relaxed);
	ticks = clock_raw() - begin;
	if (LIKELY(!rc) && UNLIKELY(!launch_sizes_are(l, global, local)))
		opencl_resized(l, global, local);
	if (UNLIKELY(rc || ticks >= UINT32_MAX || !record_end(p, r, begin, (uint32_t)ticks, HOOK_clEnqueueNDRangeKernel, l->stream, l->key)))
		odd(l, rc, begin, ticks);
	return rc;
}
