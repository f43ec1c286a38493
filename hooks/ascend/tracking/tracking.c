/* tracking.c - tracks what the Ascend rows name: streams, kernels and their launches, memory. */
#include "hooks/ascend/tracking/tracking.h"
#include "agent/os/pages.h"
#include "agent/session/session.h"
#include "hooks/capture/devices.h"
#include "hooks/link/resolve.h"

struct handles ascend_functions;

static struct handles memories; /* a = bytes */

/* ---- streams ---- */

void ascend_new_stream(aclrtStream stream)
{
	uint32_t device;

	if (!gate_may_record())
		return;
	device = contexts_device();
	handles_put(&contexts_streams.table, contexts_stream_key(stream), stream_id((uintptr_t)stream, device, false), 0);
}

void ascend_end_stream(aclrtStream stream)
{
	struct handle_slot *s = handles_get(&contexts_streams.table, (uintptr_t)stream);

	if (s)
		handles_forget(s);
}

uint16_t ascend_stream_slowly(aclrtStream stream, bool good)
{
	struct handle_slot *s = handles_get(&contexts_streams.table, contexts_stream_key(stream));

	if (!s && good) {
		ascend_new_stream(stream); /* made on a road that we did not see */
		s = handles_get(&contexts_streams.table, contexts_stream_key(stream));
	}
	return s ? (uint16_t)atomic_load(&s->a) : 0;
}

/* ---- kernels ---- */

#define LONG_NAME (64u << 10) /* bytes: templates make names of any length, and how long one is the runtime does not say */

static uint64_t asked_name(const void *function, bool *matches)
{
	static _Atomic(void *) cache;
	aclError (*ask)(aclrtFuncHandle, uint32_t, char *) = hook_vendor(&cache, "aclrtGetFunctionName"); /* newer than 8.1.RC1 */
	char text[1024] = "", *longer = NULL;
	uint64_t id;

	if (ask && ask((void *)function, sizeof(text) - 1, text))
		longer = pages_take(LONG_NAME);
	if (longer && ask((void *)function, LONG_NAME - 1, longer))
		longer[0] = '\0';
	id = name_id(longer ? longer : text, matches);
	if (longer)
		pages_give(longer, LONG_NAME);
	return id;
}

void ascend_new_function(const void *function, const char *name)
{
	bool matches = false;
	uint64_t id;

	if (!function || !gate_may_record() || producer.inside & INSIDE_AGENT)
		return;
	id = name ? name_id(name, &matches) : asked_name(function, &matches);
	if (id != NAME_LATER)
		handles_put(&ascend_functions, (uintptr_t)function, id | (matches ? FUNCTION_MATCHES : 0), session_generation);
}

/* Kernels made where we did not look, or before a fork, are asked for their name now. */
static struct handle_slot *function_slot(const void *function)
{
	struct handle_slot *s = handles_get(&ascend_functions, (uintptr_t)function);

	if (s && atomic_load_explicit(&s->b, memory_order_relaxed) == session_generation)
		return s;
	ascend_new_function(function, NULL);
	return handles_get(&ascend_functions, (uintptr_t)function);
}

void ascend_tick(const void *function)
{
	struct handle_slot *s = handles_get(&ascend_functions, (uintptr_t)function);

	source_time_launch();
	source_kernel_launch(s && atomic_load(&s->a) & FUNCTION_MATCHES);
}

uint64_t ascend_launch_slowly(const void *function, bool good, uint32_t dims, const size_t *blocks)
{
	struct handle_slot *s = good ? function_slot(function) : handles_get(&ascend_functions, (uintptr_t)function);
	uint64_t name = s ? atomic_load_explicit(&s->a, memory_order_relaxed) & ~FUNCTION_MATCHES : 0;

	return launch_id_slowly(name, good ? dims : 0, blocks, NULL);
}

uint64_t ascend_named(const char *name)
{
	bool matches;
	uint64_t id = name ? name_id(name, &matches) : 0;

	return launch_id(id == NAME_LATER ? 0 : id, 0, NULL, NULL);
}

/* ---- memory ---- */

void ascend_new_memory(const void *address, uint64_t bytes)
{
	if (gate_may_record())
		handles_put(&memories, (uintptr_t)address, bytes, 0);
}

/* Forgotten before the real release: the next moment another thread may get the same address. */
uint64_t ascend_end_memory(const void *address)
{
	struct handle_slot *s = handles_get(&memories, (uintptr_t)address);
	uint64_t bytes = s ? atomic_load(&s->a) : 0;

	if (s)
		handles_forget(s);
	return bytes;
}

uint64_t ascend_sum(const size_t *sizes, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += sizes[i];
	return sum;
}

/* ---- copies ---- */

unsigned int ascend_direction(aclrtMemcpyKind kind)
{
	static const unsigned char direction[] = {
		[ACL_MEMCPY_HOST_TO_HOST] = DIR_H2H,
		[ACL_MEMCPY_HOST_TO_DEVICE] = DIR_H2D,
		[ACL_MEMCPY_DEVICE_TO_HOST] = DIR_D2H,
		[ACL_MEMCPY_DEVICE_TO_DEVICE] = DIR_D2D,
		[ACL_MEMCPY_DEFAULT] = DIR_OTHER,
		[ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE] = DIR_H2D,
		[ACL_MEMCPY_INNER_DEVICE_TO_DEVICE] = DIR_D2D,
		[ACL_MEMCPY_INTER_DEVICE_TO_DEVICE] = DIR_D2D,
	};

	return (size_t)kind < sizeof(direction) ? direction[kind] : DIR_OTHER;
}

unsigned int ascend_rt_direction(rtMemcpyKind_t kind)
{
	switch (kind) {
	case RT_MEMCPY_ADDR_DEVICE_TO_DEVICE: return DIR_D2D;
	case RT_MEMCPY_HOST_TO_DEVICE_EX: return DIR_H2D;
	case RT_MEMCPY_DEVICE_TO_HOST_EX: return DIR_D2H;
	default: return kind < ACL_MEMCPY_DEFAULT ? ascend_direction(kind) : DIR_OTHER;
	}
}
