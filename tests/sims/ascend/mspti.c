/*
 * mspti.c - libmspti: one subscriber; records of kernels (activity 2) and collectives (9), and of the numbers that were pushed
 * around them (8). A collective is told of when its call ends.
 * Of those it keeps one stack for all threads. Times are the host's: a kernel begins when it is submitted where streams
 * have a clock of their own.
 */
#include "hooks/ascend/abi/mspti_abi.h"
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/sim.h"
#include <string.h>

enum { MSPTI_INVALID_PARAMETER = 1,
       MSPTI_MULTIPLE_SUBSCRIBERS,
       MSPTI_MAX_LIMIT_REACHED,
       MSPTI_QUEUE_EMPTY = 5 };
enum { KINDS = 14,
       PUSHED = 5, /* kinds of numbers */
       DEEP = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool subscribed;
static uint64_t pushed[PUSHED][DEEP];
static unsigned int depth[PUSHED];

static size_t size_of(const void *record)
{
	switch (((const mspti_record *)record)->kind) {
	case MSPTI_KIND_KERNEL: return sizeof(mspti_kernel);
	case MSPTI_KIND_COMMUNICATION: return sizeof(mspti_communication);
	default: return sizeof(mspti_external);
	}
}

static uint64_t end_of(const void *record)
{
	switch (((const mspti_record *)record)->kind) {
	case MSPTI_KIND_KERNEL: return ((const mspti_kernel *)record)->end;
	case MSPTI_KIND_COMMUNICATION: return ((const mspti_communication *)record)->end;
	default: return 0;
	}
}

static struct sim_records records = { .kinds = KINDS, .size_of = size_of, .end_of = end_of, .lock = &lock };

static void add(const void *record, size_t size)
{
	sim_records_add(&records, record, size);
}

static uint64_t host_ns(int device, uint64_t begin)
{
	return sim_boot(device) ? sim_boot(device) + begin : sim_host_ns();
}

static void add_pushed(uint64_t correlation)
{
	for (int kind = 0; kind < PUSHED; kind++)
		if (depth[kind])
			add(&(mspti_external){ MSPTI_KIND_EXTERNAL_CORRELATION, kind, pushed[kind][depth[kind] - 1], correlation },
			    sizeof(mspti_external));
}

static uint64_t correlation;
static __thread mspti_communication last; /* work of this thread, as a collective's would be */

static void on_task(const struct sim_task *task, int device, int stream, uint64_t begin, uint64_t end)
{
	uint64_t start = host_ns(device, begin);

	if (!strcmp(task->name, "host") || !strcmp(task->name, "memcpy") || !strcmp(task->name, "memset"))
		return;
	if (!strncmp(task->name, "hccl_", 5))
		last = (mspti_communication){ MSPTI_KIND_COMMUNICATION, 0, 1, (uint32_t)device, (uint32_t)stream, start, start + (end - begin),
					      "", task->name, "", 0 };
	pthread_mutex_lock(&lock);
	correlation++;
	if (records.enabled[MSPTI_KIND_EXTERNAL_CORRELATION])
		add_pushed(correlation);
	if (records.enabled[MSPTI_KIND_KERNEL])
		add(&(mspti_kernel){ MSPTI_KIND_KERNEL, start, start + (end - begin), (uint32_t)device, (uint32_t)stream, correlation,
				     "KERNEL_AICORE", task->name },
		    sizeof(mspti_kernel));
	pthread_mutex_unlock(&lock);
}

/* SIM_MSPTI_QUIET=n: of the n-th collective nothing is told. */
static void on_collective(void)
{
	static long number;

	pthread_mutex_lock(&lock);
	if (last.start && records.enabled[MSPTI_KIND_COMMUNICATION] && ++number != sim_setting("SIM_MSPTI_QUIET", 0)) {
		last.correlation = ++correlation;
		if (records.enabled[MSPTI_KIND_EXTERNAL_CORRELATION])
			add_pushed(correlation);
		add(&last, sizeof(last));
	}
	last.start = 0;
	pthread_mutex_unlock(&lock);
}

msptiResult do_msptiSubscribe(msptiSubscriberHandle *subscriber, msptiCallbackFunc callback, void *userdata)
{
	if (!subscriber)
		return MSPTI_INVALID_PARAMETER;
	if (__atomic_exchange_n(&subscribed, true, __ATOMIC_ACQ_REL))
		return MSPTI_MULTIPLE_SUBSCRIBERS;
	*subscriber = &subscribed;
	return 0;
}

msptiResult do_msptiUnsubscribe(msptiSubscriberHandle subscriber)
{
	if (subscriber != &subscribed)
		return MSPTI_INVALID_PARAMETER;
	sim_on_task = NULL;
	sim_on_collective = NULL;
	memset(records.enabled, 0, sizeof(records.enabled));
	subscribed = false;
	return 0;
}

msptiResult do_msptiActivityRegisterCallbacks(msptiBuffersCallbackRequestFunc funcBufferRequested,
					      msptiBuffersCallbackCompleteFunc funcBufferCompleted)
{
	if (!funcBufferRequested || !funcBufferCompleted)
		return MSPTI_INVALID_PARAMETER;
	records.request = funcBufferRequested;
	records.complete = funcBufferCompleted;
	return 0;
}

static int enable(msptiActivityKind kind, bool on)
{
	sim_on_task = on_task;
	sim_on_collective = on_collective;
	return sim_records_enable(&records, kind, on) ? 0 : MSPTI_INVALID_PARAMETER;
}

msptiResult do_msptiActivityEnable(msptiActivityKind way)
{
	return enable(way, true);
}

msptiResult do_msptiActivityDisable(msptiActivityKind way)
{
	return enable(way, false);
}

bool do_msptiActivityIsEnabled(msptiActivityKind way)
{
	return way > 0 && way < KINDS && records.enabled[way];
}

msptiResult do_msptiActivityPushExternalCorrelationId(msptiExternalCorrelationKind way, uint64_t id)
{
	if (way < 0 || way >= PUSHED)
		return MSPTI_INVALID_PARAMETER;
	pthread_mutex_lock(&lock);
	if (depth[way] < DEEP)
		pushed[way][depth[way]++] = id;
	pthread_mutex_unlock(&lock);
	return 0;
}

msptiResult do_msptiActivityPopExternalCorrelationId(msptiExternalCorrelationKind way, uint64_t *lastId)
{
	int rc = MSPTI_QUEUE_EMPTY;

	if (way < 0 || way >= PUSHED || !lastId)
		return MSPTI_INVALID_PARAMETER;
	pthread_mutex_lock(&lock);
	if (depth[way]) {
		*lastId = pushed[way][--depth[way]];
		rc = 0;
	}
	pthread_mutex_unlock(&lock);
	return rc;
}

msptiResult do_msptiActivityFlushAll(uint32_t flag)
{
	sim_records_flush(&records);
	return 0;
}

msptiResult do_msptiActivityGetNextRecord(uint8_t *buffer, size_t validBufferSizeBytes, msptiActivity **record)
{
	void *next = *record;

	if (!sim_records_next(&records, buffer, validBufferSizeBytes, &next))
		return MSPTI_MAX_LIMIT_REACHED;
	*record = next;
	return 0;
}
