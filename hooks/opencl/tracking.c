/* tracking.c - tracks what the OpenCL rows name: kernels and their launches, memory objects. */
#include "hooks/opencl/tracking.h"
#include <string.h>
#include "agent/os/pages.h"
#include "agent/record/handles.h"
#include "agent/session/session.h"
#include "agent/steps/source_kernel.h"
#include "hooks/capture/interned_names.h"
#include "hooks/link/resolve.h"

struct handles opencl_kernels;

static struct handles memories; /* a = bytes, b = references | bytes of a pixel << 32 */

/* ---- kernels and launches ---- */

typedef cl_int (*info_fn)(cl_kernel, cl_uint, size_t, void *, size_t *);

/* Templates make names of any length. */
static uint64_t long_name(info_fn info, cl_kernel kernel, size_t size, bool *matches)
{
	char *text = pages_take(size + 1);
	uint64_t id;

	if (!text)
		return name_id("", matches);
	info(kernel, CL_KERNEL_FUNCTION_NAME, size, text, NULL);
	id = name_id(text, matches);
	pages_give(text, size + 1);
	return id;
}

static uint64_t asked_name(cl_kernel kernel, bool *matches)
{
	static _Atomic(void *) cache;
	info_fn info = hook_vendor(&cache, "clGetKernelInfo");
	char text[1024] = "";
	size_t size = 0;

	if (info && info(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(text) - 1, text, NULL) &&
	    !info(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size) && size >= sizeof(text))
		return long_name(info, kernel, size, matches);
	return name_id(text, matches);
}

void opencl_new_kernel(cl_kernel kernel, const char *name)
{
	bool matches = false;
	uint64_t id;

	if (!kernel || !record_may_learn())
		return;
	id = name ? name_id(name, &matches) : asked_name(kernel, &matches);
	if (id == NAME_LATER)
		return;
	handles_put(&opencl_kernels, (uintptr_t)kernel, id | (matches ? KERNEL_MATCHES : 0),
		    1 | (uint64_t)session_generation << 32);
	launch_cache_void();
}

/* The program's list may be longer than there are kernels; what lies behind them is nobody's. */
void opencl_new_kernels(cl_program program, cl_uint count, const cl_kernel *list)
{
	static _Atomic(void *) cache;
	cl_int (*info)(cl_program, cl_uint, size_t, void *, size_t *) = hook_vendor(&cache, "clGetProgramInfo");
	size_t made = 0;

	if (!list || !info || info(program, CL_PROGRAM_NUM_KERNELS, sizeof(made), &made, NULL))
		return;
	for (cl_uint i = 0; i < count && i < made; i++)
		opencl_new_kernel(list[i], NULL);
}

/* Kernels made where we did not look, or before a fork, are asked for their name now. */
static struct handle_slot *kernel_slot(cl_kernel kernel)
{
	struct handle_slot *s = handles_get(&opencl_kernels, (uintptr_t)kernel);

	if (s && atomic_load_explicit(&s->b, memory_order_relaxed) >> 32 == session_generation)
		return s;
	opencl_new_kernel(kernel, NULL);
	return handles_get(&opencl_kernels, (uintptr_t)kernel);
}

void opencl_retain_kernel(cl_kernel kernel)
{
	handles_retain(&opencl_kernels, (uintptr_t)kernel);
}

void opencl_release_kernel(cl_kernel kernel)
{
	struct handle_slot *s = handles_release(&opencl_kernels, (uintptr_t)kernel);

	if (s) {
		handles_forget(s);
		launch_cache_void();
	}
}

void opencl_tick(cl_kernel kernel)
{
	struct handle_slot *s = handles_get(&opencl_kernels, (uintptr_t)kernel);

	source_kernel_seen(s && atomic_load(&s->a) & KERNEL_MATCHES);
}

static NOINLINE uint64_t launch_slowly(cl_kernel kernel, bool good, cl_uint dims, const size_t *global,
				       const size_t *local)
{
	struct handle_slot *s = good ? kernel_slot(kernel) : handles_get(&opencl_kernels, (uintptr_t)kernel);
	uint64_t name = s ? atomic_load_explicit(&s->a, memory_order_relaxed) & ~KERNEL_MATCHES : 0;

	return launch_id_slowly(name, good && dims <= 3 && global ? dims : 0, global, local);
}

uint64_t opencl_launch(cl_kernel kernel, const struct handle_slot *known, bool good, cl_uint dims,
		       const size_t *global, const size_t *local)
{
	if (UNLIKELY(!known || !good || dims > 3 || !global ||
		     atomic_load_explicit(&known->b, memory_order_relaxed) >> 32 != session_generation))
		return launch_slowly(kernel, good, dims, global, local);
	return launch_id(atomic_load_explicit(&known->a, memory_order_relaxed) & ~KERNEL_MATCHES, dims, global, local);
}

uint64_t opencl_task(cl_kernel kernel, const struct handle_slot *known, bool good)
{
	static const size_t one = 1;

	return opencl_launch(kernel, known, good, 1, &one, &one);
}

static void learn(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local,
		  void *real, uint64_t now)
{
	const struct handle_slot *known = opencl_kernel(kernel);
	struct launch *l = launch_cache_place(producer.launches, (uintptr_t)kernel);

	if (!known)
		return;
	if ((uint32_t)gate_load() & GATE_CLOCK)
		now = (now & ~1ull) | !!(atomic_load_explicit(&known->a, memory_order_relaxed) & KERNEL_MATCHES);
	*l = (struct launch){ .stamp = now,
			      .function = (uintptr_t)kernel,
			      .queue = (uintptr_t)queue,
			      .real = real,
			      .dims = dims,
			      .names = HOOK_clEnqueueNDRangeKernel | (uint32_t)opencl_stream(queue, true) << 16 };
	launch_cache_resize(l, opencl_launch(kernel, known, true, dims, global, local), dims, global, local);
}

void opencl_learn(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local,
		  void *real, uint64_t now)
{
	if (producer.ready != gate_load() || !global || dims - 1 > 2)
		return;
	record_turn(&producer, EV_LAUNCH); /* the table is being written */
	learn(queue, kernel, dims, global, local, real, now);
	record_turn_back(&producer);
}

/* ---- memory objects ---- */

void opencl_new_memory(void *object, uint64_t bytes, uint32_t pixel)
{
	if (gate_may_record())
		handles_put(&memories, (uintptr_t)object, bytes, 1 | (uint64_t)pixel << 32);
}

void opencl_retain_memory(void *object)
{
	handles_retain(&memories, (uintptr_t)object);
}

/* Forgotten before the real release: the next moment another thread may get the same handle. */
bool opencl_release_memory(void *object, uint64_t *bytes)
{
	struct handle_slot *s = handles_get(&memories, (uintptr_t)object);

	*bytes = s ? atomic_load(&s->a) : 0;
	if (!s || (uint32_t)atomic_fetch_sub(&s->b, 1) != 1)
		return !s;
	handles_forget(s);
	return true;
}

uint64_t opencl_memory_bytes(const void *object)
{
	struct handle_slot *s = handles_get(&memories, (uintptr_t)object);

	return s ? atomic_load(&s->a) : 0;
}

uint32_t opencl_pixel_of(const void *image)
{
	struct handle_slot *s = handles_get(&memories, (uintptr_t)image);

	return s ? (uint32_t)(atomic_load(&s->b) >> 32) : 0;
}
