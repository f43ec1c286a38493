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
} vendor;

static void *subscriber;
static bool collectives; /* are told of */

/* ---- begin and end ---- */

static bool find_vendor(struct record_functions *alike)
{
	static _Atomic(void *) of[9];

	vendor.subscribe = hook_vendor(&of[0], "msptiSubscribe");
	vendor.unsubscribe = hook_vendor(&of[1], "msptiUnsubscribe");
	vendor.callbacks = hook_vendor(&of[2], "msptiActivityRegisterCallbacks");
	vendor.enable = hook_vendor(&of[3], "msptiActivityEnable");
	vendor.disable = hook_vendor(&of[4], "msptiActivityDisable");
	vendor.flush = hook_vendor(&of[5], "msptiActivityFlushAll");
	alike->next = hook_vendor(&of[6], "msptiActivityGetNextRecord");
	alike->push = hook_vendor(&of[7], "msptiActivityPushExternalCorrelationId");
	alike->pop = hook_vendor(&of[8], "msptiActivityPopExternalCorrelationId");
	return vendor.subscribe && vendor.unsubscribe && vendor.callbacks && vendor.enable && vendor.disable &&
	       vendor.flush && alike->next && alike->push && alike->pop;
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

static void complete(uint8_t *buffer, size_t size, size_t valid)
{
	(void)size;
	records_bring(&mspti_tool.records, buffer, valid);
}

static bool subscribe(void)
{
	if (vendor.subscribe(&subscriber, NULL, NULL))
		return false; /* the one place is taken */
	if (!vendor.callbacks(records_request, complete) && !vendor.enable(MSPTI_KIND_EXTERNAL_CORRELATION)) {
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
	if (!is_preloaded() || !find_vendor(&mspti_tool.vendor) || !subscribe())
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

static void take(const void *record)
{
	switch (((const mspti_record *)record)->kind) {
	case MSPTI_KIND_KERNEL: take_kernel(record); break;
	case MSPTI_KIND_COMMUNICATION: take_communication(record); break;
	case MSPTI_KIND_EXTERNAL_CORRELATION: take_external(record); break;
	default: break;
	}
}

struct record_tool mspti_tool = {
	.name = "mspti",
	.streams = &ascend_streams,
	.devices = 1ull << 32,
	.lanes = 1, /* msPTI keeps the numbers of all threads in one stack */
	.collectives_apart = true,
	.asked = RECORD_LAUNCH | RECORD_OPERATOR | RECORD_COLLECTIVE | RECORD_OTHER,
	.number_kind = MSPTI_CORRELATION_CUSTOM2,
	.may = may,
	.start = start,
	.now = now,
	.flush = flush,
	.take = take,
	.end = end,
};
