#include "hooks/ascend/tracking/contexts.h"
#include <stdio.h>
#include "agent/os/slow_path.h"
#include "hooks/capture/devices.h"
#include "hooks/link/resolve.h"

struct contexts_streams contexts_streams;

static _Atomic uint64_t first_place;
static _Atomic(aclrtContext) first_context; /* whose is DEFAULT_STREAM */
static _Atomic uint32_t ended;		    /* counts up: a context may have the address of one that was */

aclrtContext contexts_here(void)
{
	static _Atomic(void *) cache;
	aclError (*get)(aclrtContext *) = hook_vendor(&cache, "aclrtGetCurrentContext");
	struct slow_path guard = slow_path_begin();
	uint32_t inside = producer.inside;
	aclrtContext context = NULL;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	if (!get || get(&context))
		context = NULL;
	producer.inside = inside;
	slow_path_end(guard);
	return context;
}

/* ---- devices ---- */

const char *contexts_device_name(int32_t number, char *text, size_t size)
{
	static _Atomic(void *) cache;
	const char *(*soc)(void) = hook_vendor(&cache, "aclrtGetSocName");
	const char *name = soc ? soc() : NULL;

	snprintf(text, size, "%s %d", name ? name : "Ascend", number);
	return text;
}

uint32_t contexts_device_numbered(int32_t number)
{
	char text[128];

	return number < 0 ? 0 : device_id((uint64_t)number + 1, contexts_device_name(number, text, sizeof(text)));
}

/* A stream belongs to the device that is its thread's when it is made. */
uint32_t contexts_device(void)
{
	static _Atomic(void *) get_device;
	aclError (*device)(int32_t *) = hook_vendor(&get_device, "aclrtGetDevice");
	int32_t n = 0;

	return device && !device(&n) ? contexts_device_numbered(n) : 0;
}

/* ---- the default stream ---- */

/* DEFAULT_STREAM was made while there was one context: it is of who is there, or, where that was another thread, of its device. */
static void learn_first(aclrtContext context)
{
	struct handle_slot *s = handles_get(&contexts_streams.table, DEFAULT_STREAM);

	if (context && (!s || stream_device((uint16_t)atomic_load(&s->a)) == contexts_device()))
		atomic_compare_exchange_strong(&first_context, &(aclrtContext){ NULL }, context);
}

void contexts_go_to(uint64_t place)
{
	uint64_t first = 0;

	if (atomic_load(&contexts_streams.several) ||
	    (place && (atomic_compare_exchange_strong(&first_place, &first, place) || first == place)))
		return;
	if (handles_get(&contexts_streams.table, DEFAULT_STREAM))
		learn_first(contexts_here());
	atomic_store(&contexts_streams.several, true);
}

/* Contexts are addresses: one more is no stream's. */
uint64_t contexts_default_stream(void)
{
	aclrtContext context = contexts_here();

	if (!atomic_load(&first_context))
		learn_first(context);
	if (!context || context == atomic_load(&first_context))
		return DEFAULT_STREAM;
	return (uintptr_t)context | 1 | (uint64_t)atomic_load(&ended) << 56;
}

void contexts_end(aclrtContext context)
{
	struct handle_slot *s;

	if (!atomic_load(&contexts_streams.several))
		return;
	atomic_fetch_add(&ended, 1);
	if (context && context != atomic_load(&first_context))
		return;
	s = handles_get(&contexts_streams.table, DEFAULT_STREAM);
	if (s)
		handles_forget(s);
	atomic_store(&first_context, NULL);
}
