/* driver_contexts.c - contexts, and the streams that nobody made. */
#include "tests/sims/cuda/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 64
#define DEPTH	16

__thread int sim_per_thread;

static struct context *primary[DEVICES];
static uint64_t ids;
static __thread struct context *stack[DEPTH];
static __thread int depth;

/* The per-thread streams of this thread. */
static __thread struct {
	const struct context *context;
	void *stream;
} own[8];

/* ---- contexts ---- */

static struct context *make(int device, unsigned int flags)
{
	struct context *c = calloc(1, sizeof(*c));
	int was = sim_device();

	*c = (struct context){ .magic = SIM_CONTEXT, .device = device, .flags = flags };
	c->id = __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED);
	sim_set_device(device);
	sim_stream_new(&c->legacy);
	sim_set_device(was);
	return c;
}

struct context *driver_context(void)
{
	return depth ? stack[depth - 1] : NULL;
}

static int enter(struct context *c)
{
	if (c)
		sim_set_device(c->device);
	return 0;
}

static bool is_context(const void *c)
{
	return !c || sim_is(c, SIM_CONTEXT);
}

CUresult do_cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice_v1 dev)
{
	if (driver_device(dev))
		return SIM_ERROR_INVALID_DEVICE;
	if (!__atomic_load_n(&primary[dev], __ATOMIC_ACQUIRE)) {
		struct context *none = NULL, *c = make(dev, 0);

		__atomic_compare_exchange_n(&primary[dev], &none, c, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	}
	primary[dev]->holders++;
	*pctx = primary[dev];
	return driver_ready();
}

CUresult do_cuDevicePrimaryCtxRelease_v2(CUdevice_v1 dev)
{
	if (driver_device(dev) || !primary[dev] || !primary[dev]->holders)
		return SIM_ERROR_INVALID_CONTEXT;
	if (!--primary[dev]->holders)
		primary[dev]->life++;
	return 0;
}

CUresult do_cuDevicePrimaryCtxRelease(CUdevice_v1 dev)
{
	return do_cuDevicePrimaryCtxRelease_v2(dev);
}

CUresult do_cuDevicePrimaryCtxReset_v2(CUdevice_v1 dev)
{
	return driver_device(dev);
}

CUresult do_cuDevicePrimaryCtxReset(CUdevice_v1 dev)
{
	return driver_device(dev);
}

CUresult do_cuDevicePrimaryCtxGetState(CUdevice_v1 dev, unsigned int *flags, int *active)
{
	if (driver_device(dev))
		return SIM_ERROR_INVALID_DEVICE;
	*flags = primary[dev] ? primary[dev]->flags : 0;
	*active = primary[dev] && primary[dev]->holders;
	return 0;
}

CUresult do_cuDevicePrimaryCtxSetFlags_v2(CUdevice_v1 dev, unsigned int flags)
{
	return driver_device(dev);
}

CUresult do_cuCtxPushCurrent_v2(CUcontext ctx)
{
	if (!sim_is(ctx, SIM_CONTEXT) || depth == DEPTH)
		return SIM_ERROR_INVALID_CONTEXT;
	stack[depth++] = ctx;
	return enter(ctx);
}

CUresult do_cuCtxPushCurrent(CUcontext ctx)
{
	return do_cuCtxPushCurrent_v2(ctx);
}

CUresult do_cuCtxPopCurrent_v2(CUcontext *pctx)
{
	if (!depth)
		return SIM_ERROR_INVALID_CONTEXT;
	depth--;
	if (pctx)
		*pctx = stack[depth];
	return enter(driver_context());
}

CUresult do_cuCtxPopCurrent(CUcontext *pctx)
{
	return do_cuCtxPopCurrent_v2(pctx);
}

/* None: the one on top goes away. */
CUresult do_cuCtxSetCurrent(CUcontext ctx)
{
	if (!is_context(ctx))
		return SIM_ERROR_INVALID_CONTEXT;
	if (!ctx)
		return depth ? do_cuCtxPopCurrent_v2(NULL) : 0;
	depth += !depth;
	stack[depth - 1] = ctx;
	return enter(ctx);
}

CUresult do_cuCtxGetCurrent(CUcontext *pctx)
{
	*pctx = driver_context();
	return driver_ready();
}

CUresult do_cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice_v1 dev)
{
	if (driver_device(dev))
		return SIM_ERROR_INVALID_DEVICE;
	*pctx = make(dev, flags);
	return do_cuCtxPushCurrent_v2(*pctx);
}

CUresult do_cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev)
{
	return do_cuCtxCreate_v2(pctx, flags, dev);
}

/* Never freed: streams and threads know it. */
CUresult do_cuCtxDestroy_v2(CUcontext ctx)
{
	if (!sim_is(ctx, SIM_CONTEXT))
		return SIM_ERROR_INVALID_CONTEXT;
	if (driver_context() == ctx)
		do_cuCtxPopCurrent_v2(NULL);
	sim_stream_end(((struct context *)ctx)->legacy);
	((struct context *)ctx)->magic = 0;
	((struct context *)ctx)->life++;
	return 0;
}

CUresult do_cuCtxDestroy(CUcontext ctx)
{
	return do_cuCtxDestroy_v2(ctx);
}

CUresult do_cuCtxGetDevice(CUdevice_v1 *device)
{
	if (!driver_context())
		return SIM_ERROR_INVALID_CONTEXT;
	*device = driver_context()->device;
	return 0;
}

CUresult do_cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
	if (!ctx)
		return do_cuCtxGetDevice(device);
	if (!sim_is(ctx, SIM_CONTEXT))
		return SIM_ERROR_INVALID_CONTEXT;
	*device = ((struct context *)ctx)->device;
	return 0;
}

CUresult do_cuCtxGetFlags(unsigned int *flags)
{
	*flags = driver_context() ? driver_context()->flags : 0;
	return driver_context() ? 0 : SIM_ERROR_INVALID_CONTEXT;
}

CUresult do_cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)
{
	struct context *c = ctx ? ctx : driver_context();

	if (!sim_is(c, SIM_CONTEXT))
		return SIM_ERROR_INVALID_CONTEXT;
	*ctxId = c->id;
	return 0;
}

CUresult do_cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
	*version = 3020;
	return 0;
}

CUresult do_cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	*leastPriority = 0;
	*greatestPriority = -5;
	return 0;
}

CUresult do_cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
	*pvalue = 1024;
	return 0;
}

CUresult do_cuCtxSetLimit(CUlimit limit, size_t value)
{
	return 0;
}

CUresult do_cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
	return is_context(peerContext) ? 0 : SIM_ERROR_INVALID_CONTEXT;
}

CUresult do_cuCtxDisablePeerAccess(CUcontext peerContext)
{
	return is_context(peerContext) ? 0 : SIM_ERROR_INVALID_CONTEXT;
}

CUresult do_cuCtxSynchronize(void)
{
	int rc = driver_context() ? driver_any_capture(driver_context()) : SIM_ERROR_INVALID_CONTEXT;

	if (!rc)
		rc = driver_unsafe();
	if (!rc)
		sim_device_wait();
	return rc;
}

CUresult do_cuCtxSynchronize_v2(CUcontext ctx)
{
	return do_cuCtxSynchronize();
}

/* ---- their streams ---- */

int driver_stream_new(struct context *context, bool blocking, void **stream)
{
	int rc = sim_stream_new(stream);

	if (!rc && blocking)
		((struct stream *)*stream)->legacy = context->legacy;
	return rc;
}

static void *thread_stream(struct context *c)
{
	int i = 0;

	while (own[i].context && own[i].context != c && i < 7)
		i++;
	if (own[i].context != c) {
		own[i].context = c;
		driver_stream_new(c, true, &own[i].stream);
	}
	return own[i].stream;
}

int driver_stream(CUstream given, void **stream)
{
	struct context *c = driver_context();
	uintptr_t number = (uintptr_t)given;

	if (!c)
		return SIM_ERROR_INVALID_CONTEXT;
	if (number > 2) {
		*stream = given;
		return sim_is(given, SIM_STREAM) ? 0 : SIM_ERROR_INVALID_HANDLE;
	}
	*stream = number == 2 || (!number && sim_per_thread) ? thread_stream(c) : c->legacy;
	return 0;
}
