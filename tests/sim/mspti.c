/* mspti.c - libmspti: one subscriber; records of kernels (activity 2) with the times of the streams' clocks. */
#include "tests/sim/declare.h"
#include "tests/sim/sim.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MSPTI_INVALID_PARAMETER = 1,
       MSPTI_MULTIPLE_SUBSCRIBERS,
       MSPTI_MAX_LIMIT_REACHED };
enum { KINDS = 13,
       KIND_KERNEL = 2 };

struct kernel_record {
	msptiActivityKind kind;
	uint64_t start, end;
	uint32_t device, stream;
	uint64_t correlation;
	const char *type, *name;
} __attribute__((packed, aligned(8)));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool subscribed, enabled[KINDS];
static struct kernel_record *records;
static size_t count, room;
static msptiBuffersCallbackRequestFunc request;
static msptiBuffersCallbackCompleteFunc complete;

static void on_task(const struct sim_task *task, int device, int stream, uint64_t begin, uint64_t end)
{
	static uint64_t correlation;

	pthread_mutex_lock(&lock);
	correlation++;
	if (enabled[KIND_KERNEL] && strcmp(task->name, "host") && strcmp(task->name, "memcpy") && strcmp(task->name, "memset")) {
		if (count == room)
			records = realloc(records, (room = room ? 2 * room : 64) * sizeof(*records));
		records[count++] = (struct kernel_record){ KIND_KERNEL, begin, end, (uint32_t)device, (uint32_t)stream,
							   correlation, "AI_CORE", task->name };
	}
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

/* ---- records ---- */

static bool hand_out(void)
{
	uint8_t *buffer = NULL;
	size_t size = 0, most = 0, n;

	request(&buffer, &size, &most);
	n = buffer ? size / sizeof(*records) : 0;
	if (most && n > most)
		n = most;
	pthread_mutex_lock(&lock);
	n = n < count ? n : count;
	if (n)
		memcpy(buffer, records, n * sizeof(*records));
	memmove(records, records + n, (count - n) * sizeof(*records));
	count -= n;
	pthread_mutex_unlock(&lock);
	if (buffer)
		complete(buffer, size, n * sizeof(*records));
	return n > 0;
}

msptiResult do_msptiActivityFlushAll(uint32_t flag)
{
	while (request && complete && count && hand_out())
		;
	return 0;
}

/* Where the last one given out ends is told from where it lies. */
msptiResult do_msptiActivityGetNextRecord(uint8_t *buffer, size_t validBufferSizeBytes, msptiActivity **record)
{
	uint8_t *next = *record ? (uint8_t *)*record + sizeof(*records) : buffer;

	if (!buffer || next + sizeof(*records) > buffer + validBufferSizeBytes)
		return MSPTI_MAX_LIMIT_REACHED;
	*record = (msptiActivity *)(void *)next;
	return 0;
}
