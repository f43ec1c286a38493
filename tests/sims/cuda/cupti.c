/*
 * cupti.c - libcupti.so.13, as far as its activities go: kernels (10), copies (1) and fills (2) by the device's clock, and the numbers (39) that a
 * thread has pushed around them, where calls of the runtime or the driver are listened to (4, 5). Numbers come behind the
 * work that has them, as they may. Nothing is handed over before it is asked for. SIM_CUPTI_TASKS=0: it tells of no work.
 */
#include "hooks/cuda/abi/cupti_abi.h"
#include "tests/sims/lib/sim.h"
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))
enum { INVALID_PARAMETER = 1,
       MAX_LIMIT_REACHED = 12,
       QUEUE_EMPTY = 18 };
enum { DEEP = 64 };

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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t correlation;
static void (*complete)(void *, uint32_t, uint8_t *, size_t, size_t);

static __thread uint64_t pushed[DEEP];
static __thread unsigned int depth;

static size_t size_of(const void *record)
{
	switch (((const cupti_record *)record)->kind) {
	case CUPTI_KIND_CONCURRENT_KERNEL: return sizeof(cupti_kernel);
	case CUPTI_KIND_EXTERNAL_CORRELATION: return sizeof(cupti_external);
	default: return sizeof(cupti_copy);
	}
}

static uint64_t end_of(const void *record)
{
	switch (((const cupti_record *)record)->kind) {
	case CUPTI_KIND_CONCURRENT_KERNEL: return ((const cupti_kernel *)record)->end;
	case CUPTI_KIND_EXTERNAL_CORRELATION: return 0;
	default: return ((const cupti_copy *)record)->end;
	}
}

static void bring(uint8_t *buffer, size_t size, size_t valid)
{
	complete(NULL, 0, buffer, size, valid);
}

#define RECORDS                                                                                                   \
	{                                                                                                         \
		.kinds = SIM_RECORD_KINDS, .size_of = size_of, .end_of = end_of, .lock = &lock, .complete = bring \
	}
static struct sim_records work = RECORDS, numbers = RECORDS;

static void add_work(const struct sim_task *task, uint32_t device, uint32_t stream, uint64_t start, uint64_t end)
{
	int32_t kind = task->kind == SIM_COPY ? CUPTI_KIND_MEMCPY : CUPTI_KIND_MEMSET;

	if (task->kind == SIM_KERNEL && work.enabled[CUPTI_KIND_CONCURRENT_KERNEL])
		sim_records_add(&work,
				&(cupti_kernel){ .kind = CUPTI_KIND_CONCURRENT_KERNEL, .start = start, .end = end, .device = device, .stream = stream, .correlation = correlation },
				sizeof(cupti_kernel));
	if (task->kind != SIM_KERNEL && work.enabled[kind])
		sim_records_add(&work, &(cupti_copy){ .kind = kind, .bytes = task->size, .start = start, .end = end, .device = device, .stream = stream, .correlation = correlation },
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
		since = sim_host_ns() - begin;
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
	uint64_t start, number = sim_call_told();

	if (task->kind > SIM_FILL) /* an event before a launch may have the launch's number, which was pushed ahead */
		return;
	start = boot(device, begin) + begin;
	pthread_mutex_lock(&lock);
	correlation++;
	if (sim_setting("SIM_CUPTI_TASKS", 1))
		add_work(task, (uint32_t)device, (uint32_t)stream, start, start + (end - begin));
	if (number && number != NO_NUMBER && work.enabled[CUPTI_KIND_EXTERNAL_CORRELATION] && (work.enabled[CUPTI_KIND_RUNTIME] || work.enabled[CUPTI_KIND_DRIVER]))
		sim_records_add(&numbers, &(cupti_external){ CUPTI_KIND_EXTERNAL_CORRELATION, CUPTI_CORRELATION_CUSTOM2, number, correlation },
				sizeof(cupti_external));
	pthread_mutex_unlock(&lock);
}

static CUptiResult enable(int32_t kind, bool on)
{
	sim_on_task = on_task;
	sim_on_call = on_call;
	return sim_records_enable(&work, kind, on) ? 0 : INVALID_PARAMETER;
}

static CUptiResult set_callbacks(void *ask, void *bring_it)
{
	work.request = numbers.request = (__typeof__(work.request))ask;
	complete = (__typeof__(complete))bring_it;
	return ask && bring_it ? 0 : INVALID_PARAMETER;
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
	*ns = sim_host_ns();
	return 0;
}

static CUptiResult flush(void)
{
	sim_records_flush(&work);
	sim_records_flush(&numbers);
	return 0;
}

COUNTED(cuptiActivityRegisterCallbacks, (void *ask, void *bring), set_callbacks(ask, bring))
COUNTED(cuptiActivityEnable, (int32_t kind), enable(kind, true))
COUNTED(cuptiActivityDisable, (int32_t kind), enable(kind, false))
COUNTED(cuptiActivityFlushAll, (uint32_t flag), flush())
COUNTED(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t valid, void **record), sim_records_next(&work, buffer, valid, record) ? 0 : MAX_LIMIT_REACHED)
COUNTED(cuptiActivityPushExternalCorrelationId, (int32_t kind, uint64_t number), push(kind, number))
COUNTED(cuptiActivityPopExternalCorrelationId, (int32_t kind, uint64_t *number), kind == CUPTI_CORRELATION_CUSTOM2 ? pop(number) : INVALID_PARAMETER)
COUNTED(cuptiGetTimestamp, (uint64_t * ns), tell_time(ns))
