/*
 * cupti.c - libcupti.so.13, as far as its activities go: kernels (10), copies (1) and fills (2) by the device's clock, and the numbers (39) that a
 * thread has pushed around them, where calls of the runtime or the driver are listened to (4, 5). Numbers come behind the
 * work that has them, as they may. Nothing is handed over before it is asked for. SIM_CUPTI_TASKS=0: it tells of no work.
 */
#include "hooks/cuda/abi/cupti_abi.h"
#include "tests/sims/lib/sim.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))
enum { INVALID_PARAMETER = 1,
       MAX_LIMIT_REACHED = 12,
       QUEUE_EMPTY = 18 };
enum { KINDS = 64,
       DEEP = 64 };

/* A function that is counted, and may fail as SIM_FAIL says. */
#define COUNTED(name, params, does)                                           \
	EXPORTED CUptiResult name params;                                     \
	EXPORTED CUptiResult name params                                      \
	{                                                                     \
		static struct sim_row row = { SIM_LIBRARY, #name, 0, { 0 } }; \
		CUptiResult rc = sim_enter(&row);                             \
                                                                              \
		if (!rc)                                                      \
			rc = does;                                            \
		sim_leave();                                                  \
		return rc;                                                    \
	}

struct records {
	uint8_t *bytes;
	size_t used, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool enabled[KINDS];
static struct records work, numbers;
static uint32_t correlation;
static void (*request)(uint8_t **, size_t *, size_t *);
static void (*complete)(void *, uint32_t, uint8_t *, size_t, size_t);

static __thread uint64_t pushed[DEEP];
static __thread unsigned int depth;

static void add(struct records *to, const void *record, size_t size)
{
	if (to->used + size > to->room)
		to->bytes = realloc(to->bytes, (to->room = to->room ? 2 * to->room : 4096));
	memcpy(to->bytes + to->used, record, size);
	to->used += size;
}

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static size_t size_of(const uint8_t *record)
{
	switch (((const cupti_record *)(const void *)record)->kind) {
	case CUPTI_KIND_CONCURRENT_KERNEL: return sizeof(cupti_kernel);
	case CUPTI_KIND_EXTERNAL_CORRELATION: return sizeof(cupti_external);
	default: return sizeof(cupti_copy);
	}
}

static void add_work(const struct sim_task *task, uint32_t device, uint32_t stream, uint64_t start, uint64_t end)
{
	int32_t kind = task->kind == SIM_COPY ? CUPTI_KIND_MEMCPY : CUPTI_KIND_MEMSET;

	if (task->kind == SIM_KERNEL && enabled[CUPTI_KIND_CONCURRENT_KERNEL])
		add(&work,
		    &(cupti_kernel){ .kind = CUPTI_KIND_CONCURRENT_KERNEL, .start = start, .end = end, .device = device, .stream = stream, .correlation = correlation },
		    sizeof(cupti_kernel));
	if (task->kind != SIM_KERNEL && enabled[kind])
		add(&work, &(cupti_copy){ .kind = kind, .bytes = task->size, .start = start, .end = end, .device = device, .stream = stream, .correlation = correlation },
		    sizeof(cupti_copy));
}

/* Where a device's clock tells of work alone, a call's work begins when it is given; that of a graph keeps its distances. */
static uint64_t boot(int device, uint64_t begin)
{
	static __thread uint64_t number, since;
	uint64_t now = sim_call_told();

	if (sim_boot(device))
		return sim_boot(device);
	if (number != now || !now)
		since = host_ns() - begin;
	number = now;
	return since;
}

/* A call of the runtime or the driver has the number that was pushed when it began, and so has what is called in it. */
#define NO_NUMBER UINT64_MAX
static uint64_t on_call(const struct sim_row *row)
{
	if (strncmp(row->library, "libcuda", strlen("libcuda")))
		return 0;
	return depth ? pushed[depth - 1] : NO_NUMBER;
}

static void on_task(const struct sim_task *task, int device, int stream, uint64_t begin, uint64_t end)
{
	uint64_t start = boot(device, begin) + begin, number = sim_call_told();

	if (task->kind > SIM_FILL)
		return;
	pthread_mutex_lock(&lock);
	correlation++;
	if (sim_setting("SIM_CUPTI_TASKS", 1))
		add_work(task, (uint32_t)device, (uint32_t)stream, start, start + (end - begin));
	if (number && number != NO_NUMBER && enabled[CUPTI_KIND_EXTERNAL_CORRELATION] && (enabled[CUPTI_KIND_RUNTIME] || enabled[CUPTI_KIND_DRIVER]))
		add(&numbers, &(cupti_external){ CUPTI_KIND_EXTERNAL_CORRELATION, CUPTI_CORRELATION_CUSTOM2, number, correlation },
		    sizeof(cupti_external));
	pthread_mutex_unlock(&lock);
}

static CUptiResult enable(int32_t kind, bool on)
{
	if (kind <= 0 || kind >= KINDS)
		return INVALID_PARAMETER;
	enabled[kind] = on;
	sim_on_task = on_task;
	sim_on_call = on_call;
	return 0;
}

static CUptiResult set_callbacks(void *ask, void *bring)
{
	request = (__typeof__(request))ask;
	complete = (__typeof__(complete))bring;
	return ask && bring ? 0 : INVALID_PARAMETER;
}

static CUptiResult push(int32_t kind, uint64_t number)
{
	if (kind != CUPTI_CORRELATION_CUSTOM2 || depth == DEEP)
		return INVALID_PARAMETER;
	pushed[depth++] = number;
	return 0;
}

static CUptiResult pop(uint64_t *number)
{
	if (!depth)
		return QUEUE_EMPTY;
	*number = pushed[--depth];
	return 0;
}

static CUptiResult tell_time(uint64_t *ns)
{
	*ns = host_ns();
	return 0;
}

/* ---- records ---- */

/* As many as fit into a buffer. */
static bool hand_out(struct records *of)
{
	uint8_t *buffer = NULL;
	size_t size = 0, most = 0, n = 0;

	request(&buffer, &size, &most);
	if (!buffer)
		return false;
	pthread_mutex_lock(&lock);
	while (n < of->used && n + size_of(of->bytes + n) <= size)
		n += size_of(of->bytes + n);
	if (n)
		memcpy(buffer, of->bytes, n);
	if (n < of->used)
		memmove(of->bytes, of->bytes + n, of->used - n);
	of->used -= n;
	pthread_mutex_unlock(&lock);
	complete(NULL, 0, buffer, size, n);
	return n > 0;
}

static CUptiResult flush(void)
{
	while (request && work.used && hand_out(&work))
		;
	while (request && numbers.used && hand_out(&numbers))
		;
	return 0;
}

/* Where the last one given out ends is told from where it lies. */
static CUptiResult next_record(uint8_t *buffer, size_t valid, cupti_record **record)
{
	uint8_t *next = *record ? (uint8_t *)*record + size_of((uint8_t *)*record) : buffer;

	if (!buffer || next + sizeof(cupti_external) > buffer + valid)
		return MAX_LIMIT_REACHED;
	*record = (cupti_record *)(void *)next;
	return 0;
}

COUNTED(cuptiActivityRegisterCallbacks, (void *ask, void *bring), set_callbacks(ask, bring))
COUNTED(cuptiActivityEnable, (int32_t kind), enable(kind, true))
COUNTED(cuptiActivityDisable, (int32_t kind), enable(kind, false))
COUNTED(cuptiActivityFlushAll, (uint32_t flag), flush())
COUNTED(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t valid, cupti_record **record), next_record(buffer, valid, record))
COUNTED(cuptiActivityPushExternalCorrelationId, (int32_t kind, uint64_t number), push(kind, number))
COUNTED(cuptiActivityPopExternalCorrelationId, (int32_t kind, uint64_t *number), kind == CUPTI_CORRELATION_CUSTOM2 ? pop(number) : INVALID_PARAMETER)
COUNTED(cuptiGetTimestamp, (uint64_t * ns), tell_time(ns))
