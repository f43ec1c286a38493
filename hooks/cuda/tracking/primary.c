#include "hooks/cuda/tracking/primary.h"
#include "agent/record/handles.h"
#include "agent/record/question.h"
#include "hooks/link/resolve.h"

static struct handles primaries; /* number + 1: a = context */

void cuda_primary_is(CUdevice_v1 device, CUcontext context)
{
	handles_put(&primaries, (uint64_t)device + 1, (uintptr_t)context, 0);
}

void *cuda_primary_of(CUdevice_v1 device)
{
	struct handle_slot *s = handles_get(&primaries, (uint64_t)device + 1);

	return s ? (void *)(uintptr_t)atomic_load(&s->a) : NULL;
}

/* Where nobody can tell, it goes on. */
static bool is_there(CUdevice_v1 device)
{
	static _Atomic(void *) cache;
	CUresult (*get)(CUdevice_v1, unsigned int *, int *) = hook_vendor(&cache, "cuDevicePrimaryCtxGetState");
	struct question question = question_begin();
	unsigned int flags;
	int active;
	bool there = !get || get(device, &flags, &active) || active;

	question_end(question);
	return there;
}

void *cuda_primary_left(CUdevice_v1 device)
{
	struct handle_slot *s = handles_get(&primaries, (uint64_t)device + 1);
	void *context;

	if (!s || is_there(device))
		return NULL;
	context = (void *)(uintptr_t)atomic_load(&s->a);
	handles_forget(s);
	return context;
}
