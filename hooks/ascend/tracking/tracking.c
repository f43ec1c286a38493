#include "hooks/ascend/tracking/tracking.h"
#include "agent/format/event.h"
#include "agent/os/pages.h"
#include "hooks/link/resolve.h"

struct handles ascend_memory;

/* ---- kernels ---- */

#define LONG_NAME (64u << 10) /* bytes: templates make names of any length, and how long one is the runtime does not say */

static uint64_t name_of(const void *function, bool *matches)
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

struct functions ascend_functions = { .name_of = name_of };

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
