#include "hooks/ascend/time/mspti.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "hooks/ascend/abi/mspti_abi.h"
#include "hooks/ascend/time/other_profilers.h"
#include "hooks/ascend/tracking/tracking.h"
#include "hooks/link/resolve.h"

static struct {
	msptiResult (*subscribe)(void **, void (*)(void), void *);
	msptiResult (*unsubscribe)(void *);
	msptiResult (*callbacks)(void (*)(uint8_t **, size_t *, size_t *), void (*)(uint8_t *, size_t, size_t));
	msptiResult (*enable)(int32_t), (*disable)(int32_t), (*flush)(uint32_t);
	msptiResult (*next)(uint8_t *, size_t, mspti_record **);
	msptiResult (*push)(int32_t, uint64_t), (*pop)(int32_t, uint64_t *);
} vendor;

static void *subscriber;
static bool collectives; /* are told of */

/* ---- begin and end ---- */

static bool find_vendor(void)
{
	static _Atomic(void *) of[9];

	vendor.subscribe = hook_vendor(&of[0], "msptiSubscribe");
	vendor.unsubscribe = hook_vendor(&of[1], "msptiUnsubscribe");
	vendor.callbacks = hook_vendor(&of[2], "msptiActivityRegisterCallbacks");
	vendor.enable = hook_vendor(&of[3], "msptiActivityEnable");
	vendor.disable = hook_vendor(&of[4], "msptiActivityDisable");
	vendor.flush = hook_vendor(&of[5], "msptiActivityFlushAll");
	vendor.next = hook_vendor(&of[6], "msptiActivityGetNextRecord");
	vendor.push = hook_vendor(&of[7], "msptiActivityPushExternalCorrelationId");
	vendor.pop = hook_vendor(&of[8], "msptiActivityPopExternalCorrelationId");
	return vendor.subscribe && vendor.unsubscribe && vendor.callbacks && vendor.enable && vendor.disable &&
	       vendor.flush && vendor.next && vendor.push && vendor.pop;
}

/* A file of this very name, not one of ours that ends alike. */
static bool is_preloaded(void)
{
	static const char name[] = "libmspti.so";
	const char *at = getenv("LD_PRELOAD");

	while (at && (at = strstr(at, name))) {
		const char *before = at - 1;

		at += sizeof(name) - 1;
		if (strchr(": ", *at) && (before < getenv("LD_PRELOAD") || strchr("/: ", *before)))
			return true;
	}
	return false;
}

static void request(uint8_t **buffer, size_t *size, size_t *most)
{
	*buffer = records_buffer(size);
	*most = 0;
}

static void complete(uint8_t *buffer, size_t size, size_t valid)
{
	(void)size;
	records_bring(&mspti_tool.records, buffer, valid);
}

static bool subscribe(void)
{
	if (vendor.subscribe(&subscriber, NULL, NULL))
		return false; /* the one place is taken */
	if (!vendor.callbacks(request, complete) && !vendor.enable(MSPTI_KIND_EXTERNAL_CORRELATION)) {
		if (!vendor.enable(MSPTI_KIND_KERNEL)) {
			collectives = !vendor.enable(MSPTI_KIND_COMMUNICATION); /* newer than 8.1.RC1 */
			return true;
		}
		vendor.disable(MSPTI_KIND_EXTERNAL_CORRELATION);
	}
	vendor.unsubscribe(subscriber);
	return false;
}

static bool may(void)
{
	return !other_profilers_run(OTHER_SUBSCRIBER);
}

static bool start(void)
{
	if (!is_preloaded() || !find_vendor() || !subscribe())
		return false;
	mspti_tool.tells = RECORD_LAUNCH | RECORD_OPERATOR | (collectives ? RECORD_COLLECTIVE : 0);
	return true;
}

static void end(void)
{
	vendor.unsubscribe(subscriber);
}

/* ---- what it is asked ---- */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool push(uint64_t number)
{
	return !vendor.push(MSPTI_CORRELATION_CUSTOM2, number);
}

static bool pop(uint64_t *number)
{
	return !vendor.pop(MSPTI_CORRELATION_CUSTOM2, number);
}

static void flush(bool all)
{
	if (all) {
		if (collectives)
			vendor.disable(MSPTI_KIND_COMMUNICATION);
		vendor.disable(MSPTI_KIND_KERNEL); /* which brings what the device has not told yet */
		vendor.disable(MSPTI_KIND_EXTERNAL_CORRELATION);
	}
	vendor.flush(1);
}

/* ---- records ---- */

static void take_kernel(const mspti_kernel *k)
{
	records_span(&mspti_tool.records, OF_KERNELS, k->correlation, &(struct span){ k->start, k->end, k->device, 1, k->end < k->start });
}

static void take_communication(const mspti_communication *c)
{
	records_span(&mspti_tool.records, OF_COLLECTIVES, c->correlation, &(struct span){ c->start, c->end, c->device, 1, c->end < c->start });
}

static void take_external(const mspti_external *e)
{
	if (e->of == MSPTI_CORRELATION_CUSTOM2)
		records_number(&mspti_tool.records, e->correlation, e->number);
}

static void take(const mspti_record *record)
{
	if (record->kind == MSPTI_KIND_KERNEL)
		take_kernel((const mspti_kernel *)(const void *)record);
	else if (record->kind == MSPTI_KIND_COMMUNICATION)
		take_communication((const mspti_communication *)(const void *)record);
	else if (record->kind == MSPTI_KIND_EXTERNAL_CORRELATION)
		take_external((const mspti_external *)(const void *)record);
}

static void read_buffer(uint8_t *buffer, size_t valid)
{
	mspti_record *record = NULL;

	while (!vendor.next(buffer, valid, &record))
		take(record);
}

struct record_tool mspti_tool = {
	.name = "mspti",
	.streams = &ascend_streams,
	.devices = 1ull << 32,
	.lanes = 1, /* msPTI keeps the numbers of all threads in one stack */
	.collectives_apart = true,
	.asked = RECORD_LAUNCH | RECORD_OPERATOR | RECORD_COLLECTIVE | RECORD_OTHER,
	.may = may,
	.start = start,
	.now = now,
	.push = push,
	.pop = pop,
	.flush = flush,
	.read = read_buffer,
	.end = end,
};
