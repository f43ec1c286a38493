#include "hooks/cuda/time/cupti.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "agent/os/apart.h"
#include "agent/os/elf.h"
#include "agent/os/slow_path.h"
#include "agent/session/log.h"
#include "agent/session/settings.h"
#include "config/option_words.h"
#include "hooks/cuda/abi/cupti_abi.h"
#include "hooks/cuda/tracking/tracking.h"

static struct {
	CUptiResult (*callbacks)(void (*)(uint8_t **, size_t *, size_t *), void (*)(void *, uint32_t, uint8_t *, size_t, size_t));
	CUptiResult (*enable)(int32_t), (*disable)(int32_t), (*flush)(uint32_t);
	CUptiResult (*timestamp)(uint64_t *);
} vendor;

/* Numbers come with records of the calls of the runtime and the driver, which have no other use. */
static const int32_t kinds[] = { CUPTI_KIND_EXTERNAL_CORRELATION, CUPTI_KIND_RUNTIME, CUPTI_KIND_DRIVER, CUPTI_KIND_CONCURRENT_KERNEL,
				 CUPTI_KIND_MEMCPY, CUPTI_KIND_MEMCPY2, CUPTI_KIND_MEMSET };
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static _Atomic bool given_up; /* it cannot be had, or is somebody else's */
static _Atomic bool taken;    /* what it listens to is theirs */

static bool may(void)
{
	return !atomic_load(&given_up);
}

void cupti_started(void)
{
	if (settings.device_source == DEVICE_SOURCE_CUPTI)
		cupti_tool.asked = cupti_tool.tells | RECORD_OTHER;
}

/* ---- the library ---- */

/* By the loader itself, not by our own dlopen(): nobody is to learn of it. */
static void *(*loader_open)(const char *, int);
static void *(*loader_symbol)(void *, const char *);

static void *open_toolkits(const char *toolkit)
{
	char path[4096];
	int length = toolkit ? snprintf(path, sizeof(path), "%s/extras/CUPTI/lib64/libcupti.so", toolkit) : -1;

	return length > 0 && (size_t)length < sizeof(path) ? loader_open(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
}

/* The one that is loaded already, that the loader finds, or a toolkit's. */
static void *open_library(void)
{
	static const char *const names[] = { "libcupti.so.13", "libcupti.so.12", "libcupti.so" };
	static const int ways[] = { RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL, RTLD_LAZY | RTLD_LOCAL };
	void *library = NULL;

	for (size_t way = 0; way < sizeof(ways) / sizeof(*ways); way++)
		for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !library; i++)
			library = loader_open(names[i], ways[way]);
	if (!library)
		library = open_toolkits(getenv("CUDA_HOME"));
	return library ? library : open_toolkits("/usr/local/cuda");
}

static void look_for(void *functions)
{
	struct record_functions *alike = functions;
	void *library;

	loader_open = elf_find("dlopen", true);
	loader_symbol = elf_find("dlsym", true);
	library = loader_open && loader_symbol ? open_library() : NULL;
	if (!library)
		return;
	vendor.callbacks = loader_symbol(library, "cuptiActivityRegisterCallbacks");
	vendor.enable = loader_symbol(library, "cuptiActivityEnable");
	vendor.disable = loader_symbol(library, "cuptiActivityDisable");
	vendor.flush = loader_symbol(library, "cuptiActivityFlushAll");
	vendor.timestamp = loader_symbol(library, "cuptiGetTimestamp");
	alike->next = loader_symbol(library, "cuptiActivityGetNextRecord");
	alike->push = loader_symbol(library, "cuptiActivityPushExternalCorrelationId");
	alike->pop = loader_symbol(library, "cuptiActivityPopExternalCorrelationId");
}

static bool find_vendor(struct record_functions *alike)
{
	if (!vendor.callbacks)
		apart_run(look_for, alike);
	return vendor.callbacks && vendor.enable && vendor.disable && vendor.flush && vendor.timestamp && alike->next && alike->push && alike->pop;
}

/* ---- begin and end ---- */

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	(void)context, (void)stream, (void)size;
	records_bring(&cupti_tool.records, buffer, valid);
}

static CUptiResult enable(void)
{
	CUptiResult rc = vendor.callbacks(records_request, complete);

	for (size_t i = 0; i < KINDS && !rc; i++) {
		rc = vendor.enable(kinds[i]);
		for (size_t n = i; rc && n-- > 0;)
			vendor.disable(kinds[n]);
	}
	return rc;
}

static bool give_up(void)
{
	atomic_store(&given_up, true);
	return false;
}

static bool start(void)
{
	CUptiResult rc;

	if (!find_vendor(&cupti_tool.vendor)) {
		log_once("cupti", "there is no libcupti.so: device times are taken by events; CUDA_HOME or LD_LIBRARY_PATH may lead to it");
		return give_up();
	}
	rc = enable();
	if (rc) {
		log_once("cupti", "CUPTI refuses (its result %d): device times are taken by events; another profiler may have it", (int)rc);
		return give_up();
	}
	cupti_tool.ahead = settings.device_every == 1 && !settings.roles.count && settings.level != LEVEL_NONE;
	return true;
}

void cupti_make_way(void)
{
	struct slow_path guard;

	if (!cupti_tool.asked || producer.inside & INSIDE_AGENT || atomic_exchange(&given_up, true))
		return;
	guard = slow_path_begin();
	record_tool_stop(&cupti_tool);
	atomic_store(&taken, true);
	log_once("cupti", "somebody else listens to CUPTI (torch.profiler does): device times are taken by events from now on");
	slow_path_end(guard);
}

/* ---- what it is asked ---- */

static uint64_t now(void)
{
	uint64_t ns = 0;

	vendor.timestamp(&ns);
	return ns;
}

/* Forced, it would hand over records of work that is still to end. */
static void flush(bool all)
{
	if (atomic_load(&taken))
		return;
	if (all)
		vendor.flush(CUPTI_FLUSH_FORCED);
	for (size_t i = KINDS; all && i-- > 0;)
		vendor.disable(kinds[i]);
	vendor.flush(0);
}

/* ---- records ---- */

static void take_work(uint64_t start, uint64_t end, uint32_t device, uint32_t correlation)
{
	records_span(&cupti_tool.records, OF_KERNELS, correlation, &(struct span){ start, end, device, 1, end < start });
}

static void take_external(const cupti_external *e)
{
	if (e->of == CUPTI_CORRELATION_CUSTOM2)
		records_number(&cupti_tool.records, e->correlation, e->number);
}

static void take(const void *record)
{
	const cupti_kernel *kernel = record;
	const cupti_copy *copy = record;
	const cupti_copy2 *copy2 = record;

	switch (((const cupti_record *)record)->kind) {
	case CUPTI_KIND_CONCURRENT_KERNEL: take_work(kernel->start, kernel->end, kernel->device, kernel->correlation); break;
	case CUPTI_KIND_MEMCPY:
	case CUPTI_KIND_MEMSET: take_work(copy->start, copy->end, copy->device, copy->correlation); break;
	case CUPTI_KIND_MEMCPY2: take_work(copy2->start, copy2->end, copy2->device, copy2->correlation); break;
	case CUPTI_KIND_EXTERNAL_CORRELATION: take_external(record); break;
	default: break;
	}
}

struct record_tool cupti_tool = {
	.name = "cupti",
	.streams = &cuda_streams,
	.devices = 2ull << 32,
	.lanes = RECORD_LANES,
	.each_seen = true,
	.tells = RECORD_LAUNCH | RECORD_OPERATOR | RECORD_COPY | RECORD_COLLECTIVE, /* how many records a graph has nobody says */
	.number_kind = CUPTI_CORRELATION_CUSTOM2,
	.may = may,
	.start = start,
	.now = now,
	.flush = flush,
	.take = take,
};
