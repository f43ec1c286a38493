/* tracking.h - what the OpenCL rows need to know: names, sizes, references, device times. */
#pragma once
#include "agent/record/gate.h"
#include "agent/record/handles.h"
#include "agent/record/launch_cache.h"
#include "agent/record/record.h"
#include "agent/session/settings.h"
#include "agent/steps/source_kernel.h"
#include "agent/steps/source_time.h"
#include "hooks/opencl/abi.h"

/* ---- handles (tracking.c, queue.c, graph.c) ---- */

/* queue: a = stream id | device << 16 | flags << 32, b = references */
extern struct handles opencl_queues OURS;
uint16_t opencl_stream_slowly(cl_command_queue queue, bool good);

/* DEF_STREAM id. A queue that nobody saw being made gets one if the runtime took it (good), else 0. */
ALWAYS_INLINE uint16_t opencl_stream(cl_command_queue queue, bool good)
{
	struct handle_slot *s = handles_peek(&opencl_queues, (uintptr_t)queue);

	return LIKELY(s) ? (uint16_t)atomic_load_explicit(&s->a, memory_order_relaxed) : opencl_stream_slowly(queue, good);
}

#define QUEUE_FORCED BIT(0) /* we switched profiling on */
#define QUEUE_ASKED  BIT(1) /* the program did */
void opencl_new_queue(cl_command_queue queue, cl_device_id device, uint64_t properties, uint32_t flags);
uint32_t opencl_queue_flags(cl_command_queue queue);
void opencl_retain_queue(cl_command_queue queue);
void opencl_release_queue(cl_command_queue queue); /* before the real release */

void opencl_new_kernel(cl_kernel kernel, const char *name); /* name NULL: ask the runtime */
void opencl_new_kernels(cl_program program, cl_uint count, const cl_kernel *list);
void opencl_retain_kernel(cl_kernel kernel);
void opencl_release_kernel(cl_kernel kernel);
void opencl_tick(cl_kernel kernel); /* tells a kernel: step source */

/* kernel: a = DEF_STRING id | KERNEL_MATCHES, b = references | generation << 32 */
extern struct handles opencl_kernels OURS;
#define KERNEL_MATCHES_BIT 63 /* a kernel: step source */
#define KERNEL_MATCHES	   (1ull << KERNEL_MATCHES_BIT)

/* What is known of a kernel; NULL: not to be told at a glance. */
ALWAYS_INLINE const struct handle_slot *opencl_kernel(cl_kernel kernel)
{
	return handles_peek(&opencl_kernels, (uintptr_t)kernel);
}

ALWAYS_INLINE void opencl_clock(cl_kernel kernel, const struct handle_slot *known)
{
	if (!((uint32_t)gate_load() & GATE_CLOCK))
		return;
	source_time_launch();
	if (LIKELY(known))
		source_kernel_launch(atomic_load_explicit(&known->a, memory_order_relaxed) & KERNEL_MATCHES);
	else
		opencl_tick(kernel);
}

/*
 * DEF_LAUNCH id of this kernel at these sizes. Not good: the call failed, so that nothing of what it was
 * given may be looked at, and the runtime not be asked about the kernel.
 */
uint64_t opencl_launch(cl_kernel kernel, const struct handle_slot *known, bool good, cl_uint dims,
		       const size_t *global, const size_t *local);
uint64_t opencl_task(cl_kernel kernel, const struct handle_slot *known, bool good);

/* The call succeeded: the next like it need not be looked up (launch_cache.h). now: the stamp before the call. */
void opencl_learn(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local,
		  void *real, uint64_t now);

/* Lists of commands (graph.c), launched as one on the queue that they were made for. */
void opencl_new_graph(cl_command_buffer_khr graph, cl_command_queue queue);
void opencl_retain_graph(cl_command_buffer_khr graph);
void opencl_release_graph(cl_command_buffer_khr graph); /* before the real release */
cl_command_queue opencl_graph_queue(cl_command_buffer_khr graph);

void opencl_new_memory(void *object, uint64_t bytes, uint32_t pixel);
void opencl_retain_memory(void *object);

/* Before the real release. True if it is the last reference; then bytes is the size given back. */
bool opencl_release_memory(void *object, uint64_t *bytes);

/* ---- sizes (size.c) ---- */

uint64_t opencl_pixel_bytes(const cl_image_format *format);
uint64_t opencl_image_bytes(const cl_image_format *format, const cl_image_desc *desc);
uint64_t opencl_pitched(uint64_t pixel, size_t width, size_t height, size_t depth);
uint64_t opencl_region(const size_t *region, uint64_t element);
uint64_t opencl_bytes_of(cl_uint n, const cl_mem *objects);
uint64_t opencl_svm_bytes(cl_uint n, const void **addresses, const size_t *sizes);
uint64_t opencl_release_all(cl_uint n, void **addresses);

/* The call was recorded for the first address; tells of the others. */
void opencl_freed(const struct call *c, cl_uint n, void **addresses);

void *opencl_first(bool ok, cl_uint n, void *const *list);
unsigned int opencl_map_direction(cl_map_flags flags);
unsigned int opencl_migrate_direction(cl_mem_migration_flags flags);

/* Size in bytes, or of a pixel, of a memory object that is tracked; 0: not there. */
uint64_t opencl_memory_bytes(const void *object);
uint32_t opencl_pixel_of(const void *image);

/* ---- device times (time.c) ---- */

/* Can this queue's events be timed? Sets *device to its DEF_DEVICE id. */
bool opencl_timeable(cl_command_queue queue, uint32_t *device);

/*
 * Where the runtime puts the event of a command that we time. Not into the program's own place: if the
 * runtime answers success and gives no event, what lies there is nobody's.
 */
struct own_event {
	cl_event event;
	cl_event *given; /* the program's place; NULL: it wants none */
	uint32_t device; /* DEF_DEVICE id */
};
extern char opencl_no_event[] OURS; /* its address: the runtime wrote nothing */

/* where: the bit of the gate's word that says it is to have a time. */
ALWAYS_INLINE void opencl_want(struct call *c, enum gate_bit where, cl_command_queue queue, cl_event **event, struct own_event *own)
{
	if (LIKELY(!(c->word & where)) || !opencl_timeable(queue, &own->device))
		return;
	c->timed = true;
	own->event = opencl_no_event;
	own->given = *event;
	*event = &own->event;
}

/* The call is over: gives the program its event, and remembers it until its times can be read. */
void opencl_take(const struct call *c, const struct own_event *own, bool ok);

ALWAYS_INLINE void opencl_timed(const struct call *c, const struct own_event *own, bool ok)
{
	struct call copy;

	if (LIKELY(!c->timed))
		return;
	copy = *c;
	opencl_take(&copy, own, ok);
}

/* Reads the times of commands that are complete. Called where the program itself synchronises. */
void opencl_harvest(void);
