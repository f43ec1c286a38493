/*
 * mspti.c - libmspti: one subscriber; records of kernels (activity 2) and collectives (9), and of the numbers that were pushed
 * around them (8). A collective is told of when its call ends.
 * Of those it keeps one stack for all threads. Times are the host's: a kernel begins when it is submitted where streams
 * have a clock of their own.
 */
#include "hooks/ascend/abi/mspti_abi.h"
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/sim.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MSPTI_INVALID_PARAMETER = 1,
       MSPTI_MULTIPLE_SUBSCRIBERS,
       MSPTI_MAX_LIMIT_REACHED,
       MSPTI_QUEUE_EMPTY = 5 };
enum { KINDS = 14,
       PUSHED = 5, /* kinds of numbers */
       DEEP = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool subscribed, enabled[KINDS];
static uint8_t *records;
static size_t used, room;
static uint64_t pushed[PUSHED][DEEP];
static unsigned int depth[PUSHED];
static msptiBuffersCallbackRequestFunc request;
static msptiBuffersCallbackCompleteFunc complete;

static void add(const void *record, size_t size)
{
	if (used + size > room)
		records = realloc(records, (room = room ? 2 * room : 4096));
	memcpy(records + used, record, size);
	used += size;
}

static uint64_t host_ns(int device, uint64_t begin)
{
	struct timespec t;

	if (sim_boot(device))
		return sim_boot(device) + begin;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
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
	if (enabled[MSPTI_KIND_EXTERNAL_CORRELATION])
		add_pushed(correlation);
	if (enabled[MSPTI_KIND_KERNEL])
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
	if (last.start && enabled[MSPTI_KIND_COMMUNICATION] && ++number != sim_setting("SIM_MSPTI_QUIET", 0)) {
		last.correlation = ++correlation;
		if (enabled[MSPTI_KIND_EXTERNAL_CORRELATION])
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
	memset(enabled, 0, sizeof(enabled));
	subscribed = false;
	return 0;
}

msptiResult do_msptiActivityRegisterCallbacks(msptiBuffersCallbackRequestFunc funcBufferRequested,
					      msptiBuffersCallbackCompleteFunc funcBufferCompleted)
{
	if (!funcBufferRequested || !funcBufferCompleted)
		return MSPTI_INVALID_PARAMETER;
	request = funcBufferRequested;
	complete = funcBufferCompleted;
	return 0;
}

static int enable(msptiActivityKind kind, bool on)
{
	if (kind <= 0 || kind >= KINDS)
		return MSPTI_INVALID_PARAMETER;
	enabled[kind] = on;
	sim_on_task = on_task;
	sim_on_collective = on_collective;
	return 0;
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
	return way > 0 && way < KINDS && enabled[way];
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

/* ---- records ---- */

static size_t size_at(const uint8_t *record)
{
	switch (((const mspti_record *)(const void *)record)->kind) {
	case MSPTI_KIND_KERNEL: return sizeof(mspti_kernel);
	case MSPTI_KIND_COMMUNICATION: return sizeof(mspti_communication);
	default: return sizeof(mspti_external);
	}
}

static bool hand_out(void)
{
	uint8_t *buffer = NULL;
	size_t size = 0, most = 0, n = 0, count = 0;

	request(&buffer, &size, &most);
	pthread_mutex_lock(&lock);
	while (buffer && n < used && n + size_at(records + n) <= size && (!most || count < most)) {
		n += size_at(records + n);
		count++;
	}
	if (n)
		memcpy(buffer, records, n);
	memmove(records, records + n, used - n);
	used -= n;
	pthread_mutex_unlock(&lock);
	if (buffer)
		complete(buffer, size, n);
	return n > 0;
}

msptiResult do_msptiActivityFlushAll(uint32_t flag)
{
	while (request && complete && used && hand_out())
		;
	return 0;
}

/* Where the last one given out ends is told from where it lies. */
msptiResult do_msptiActivityGetNextRecord(uint8_t *buffer, size_t validBufferSizeBytes, msptiActivity **record)
{
	uint8_t *next = *record ? (uint8_t *)*record + size_at((uint8_t *)*record) : buffer;

	if (!buffer || next + sizeof(mspti_external) > buffer + validBufferSizeBytes)
		return MSPTI_MAX_LIMIT_REACHED;
	*record = (msptiActivity *)(void *)next;
	return 0;
}
