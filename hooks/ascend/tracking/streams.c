#include "hooks/ascend/tracking/streams.h"
#include "hooks/link/resolve.h"

static void *context(void)
{
	static _Atomic(void *) cache;
	aclError (*get)(aclrtContext *) = hook_vendor(&cache, "aclrtGetCurrentContext");
	aclrtContext here = NULL;

	return get && !get(&here) ? here : NULL;
}

static int32_t device(void)
{
	static _Atomic(void *) cache;
	aclError (*get)(int32_t *) = hook_vendor(&cache, "aclrtGetDevice");
	int32_t number = 0;

	return get && !get(&number) ? number : -1;
}

static const char *device_name(int32_t number, char *room, size_t size)
{
	static _Atomic(void *) cache;
	const char *(*soc)(void) = hook_vendor(&cache, "aclrtGetSocName");

	(void)number, (void)room, (void)size;
	return soc ? soc() : NULL;
}

static const struct contexts_calls calls = {
	.last_special = LAST_SPECIAL,
	.context = context,
	.device = device,
	.device_name = device_name,
	.vendor = "Ascend",
};

struct streams ascend_streams = { .calls = &calls };
