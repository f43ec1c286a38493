/*
 * A libOpenCL.so.1 whose calls return at once, or whose launch does the work of about 50 ns (-DWORK), or whose calls take
 * as long as the program says (-DTIMED). Commands are over when they are given; who asks for an event gets one with times.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char events[1 << 16]; /* handles: addresses of nothing */
static char buffers[128];    /* as allocators do, those released lately are handed out again; driver.c has 64 alive */
static uint32_t next_event, next_buffer;

#ifdef TIMED
uint64_t fake_ns; /* how long the next call takes; set by replay.c */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void spend(void)
{
	uint64_t end = now_ns() + fake_ns;

	while (now_ns() < end)
		;
}
#else
static void spend(void)
{
}
#endif

static int done(void **event)
{
	spend();
	if (event)
		*event = &events[__atomic_fetch_add(&next_event, 1, __ATOMIC_RELAXED) % sizeof(events)];
	return 0;
}

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned int dims, const size_t *offset,
			   const size_t *global, const size_t *local, unsigned int n, void *const *list,
			   void **event)
{
	(void)queue, (void)kernel, (void)dims, (void)offset, (void)global, (void)local;
	(void)n, (void)list;
#ifdef WORK
	{
		static __attribute__((used)) volatile uint64_t sink;
		uint64_t x = (uintptr_t)queue | 1;

		for (int i = 0; i < 60; i++) /* each waits for the one before: about 4 cycles */
			x = x * 6364136223846793005ull + 1442695040888963407ull;
		sink = x;
	}
#endif
	return done(event);
}

int clEnqueueWriteBuffer(void *queue, void *buffer, unsigned int wait, size_t at, size_t size, const void *from,
			 unsigned int n, void *const *list, void **event)
{
	(void)queue, (void)buffer, (void)wait, (void)at, (void)size, (void)from, (void)n, (void)list;
	return done(event);
}

void *clCreateKernel(void *program, const char *name, int *err)
{
	(void)program;
	if (err)
		*err = 0;
	return strdup(name);
}

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *err)
{
	(void)context, (void)device, (void)properties;
	if (err)
		*err = 0;
	return malloc(64);
}

void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, int *err)
{
	(void)context, (void)flags, (void)size, (void)host;
	spend();
	if (err)
		*err = 0;
	return &buffers[__atomic_fetch_add(&next_buffer, 1, __ATOMIC_RELAXED) % sizeof(buffers)];
}

int clReleaseMemObject(void *object)
{
	(void)object;
	return done(NULL);
}

int clFinish(void *queue)
{
	(void)queue;
	return done(NULL);
}

int clRetainEvent(void *event)
{
	(void)event;
	return 0;
}

int clReleaseEvent(void *event)
{
	(void)event;
	return 0;
}

/* The only question asked of an event here is how it is: complete. */
int clGetEventInfo(void *event, unsigned int what, size_t size, void *value, size_t *size_ret)
{
	(void)event, (void)what, (void)size_ret;
	memset(value, 0, size);
	return 0;
}

int clGetEventProfilingInfo(void *event, unsigned int what, size_t size, void *value, size_t *size_ret)
{
	static _Thread_local uint64_t clock = 1000000;

	(void)event, (void)size, (void)size_ret;
	clock += what == 0x1282 ? 700 : 350; /* a start, then an end, then the queuing: a plain running clock */
	*(uint64_t *)value = clock;
	return 0;
}
