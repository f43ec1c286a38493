/* driver_streams.c - streams, events and what waits for them. */
#include "tests/sims/cuda/driver.h"
#include <string.h>

/* ---- streams ---- */

CUresult do_cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
	struct context *c = driver_context();

	if (!c || !phStream)
		return c ? SIM_ERROR_INVALID_VALUE : SIM_ERROR_INVALID_CONTEXT;
	return driver_stream_new(c, !(flags & SIM_STREAM_NON_BLOCKING), phStream);
}

CUresult do_cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
	return do_cuStreamCreateWithPriority(phStream, Flags, 0);
}

CUresult do_cuStreamDestroy_v2(CUstream hStream)
{
	return sim_is(hStream, SIM_STREAM) ? sim_stream_end(hStream) : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuStreamDestroy(CUstream hStream)
{
	return do_cuStreamDestroy_v2(hStream);
}

CUresult do_cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
	void *stream;
	int rc = driver_stream(hStream, &stream);

	if (!rc)
		*flags = ((uintptr_t)hStream > 2 && !((struct stream *)stream)->legacy) ? SIM_STREAM_NON_BLOCKING : 0;
	return rc;
}

CUresult do_cuStreamGetPriority(CUstream hStream, int *priority)
{
	*priority = 0;
	return 0;
}

CUresult do_cuStreamGetId(CUstream hStream, unsigned long long *streamId)
{
	void *stream;
	int rc = driver_stream(hStream, &stream);

	if (!rc)
		*streamId = (unsigned long long)sim_stream_number(stream) + 1;
	return rc;
}

CUresult do_cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
	*pctx = driver_context();
	return *pctx ? 0 : SIM_ERROR_INVALID_CONTEXT;
}

CUresult do_cuStreamGetDevice(CUstream hStream, CUdevice *device)
{
	void *stream;
	int rc = driver_stream(hStream, &stream);

	if (!rc)
		*device = ((struct stream *)stream)->device;
	return rc;
}

/* ---- waiting ---- */

/* A captured stream is not asked for, and in some modes none is while any is captured. */
static int look_at(CUstream given, void **stream)
{
	int rc = driver_stream(given, stream);

	if (rc)
		return rc;
	if (((struct stream *)*stream)->graph)
		return driver_spoiled(*stream, SIM_CAPTURED);
	rc = driver_may(*stream);
	return rc ? rc : driver_unsafe();
}

CUresult do_cuStreamSynchronize(CUstream hStream)
{
	void *stream;
	int rc = look_at(hStream, &stream);

	return rc ? rc : sim_stream_wait(stream);
}

CUresult do_cuStreamQuery(CUstream hStream)
{
	return do_cuStreamSynchronize(hStream);
}

CUresult do_cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
	void *stream;
	int rc = driver_stream(hStream, &stream);

	if (!rc)
		rc = sim_is(hEvent, SIM_EVENT) ? driver_may(stream) : SIM_ERROR_INVALID_HANDLE;
	return rc ? rc : sim_event_wait(stream, hEvent);
}

/* ---- the program's functions ---- */

struct called {
	CUhostFn fn;
	CUstreamCallback callback;
	CUstream stream;
	void *data;
};

static void call(const void *args)
{
	const struct called *c = args;
	uint32_t was = sim_outside();

	if (c->fn)
		c->fn(c->data);
	else
		c->callback(c->stream, 0, c->data);
	sim_inside(was);
}

CUresult do_cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
	struct called c = { .fn = fn, .data = userData };

	if (!fn)
		return SIM_ERROR_INVALID_VALUE;
	return driver_submit(hStream, &(struct sim_task){ .kind = SIM_HOST, .name = "host", .run = call, .args = &c, .size = sizeof(c) });
}

CUresult do_cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags)
{
	struct called c = { .callback = callback, .stream = hStream, .data = userData };

	if (!callback)
		return SIM_ERROR_INVALID_VALUE;
	return driver_submit(hStream, &(struct sim_task){ .kind = SIM_HOST, .name = "host", .run = call, .args = &c, .size = sizeof(c) });
}

/* ---- values in memory: what is waited for is there, as all work is done when it is submitted ---- */

struct value {
	void *address;
	uint64_t value;
	size_t size;
};

static void put(const void *args)
{
	const struct value *v = args;

	memcpy(v->address, &v->value, v->size);
}

static int write_value(CUstream stream, CUdeviceptr address, uint64_t value, size_t size)
{
	struct value v = { (void *)address, value, size };

	return driver_submit(stream, &(struct sim_task){ .kind = SIM_NOTHING, .name = "value", .run = put, .args = &v, .size = sizeof(v) });
}

CUresult do_cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)
{
	return write_value(stream, addr, value, 4);
}

CUresult do_cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)
{
	return write_value(stream, addr, value, 8);
}

CUresult do_cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags)
{
	return driver_submit(stream, &(struct sim_task){ .kind = SIM_NOTHING, .name = "value" });
}

CUresult do_cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags)
{
	return driver_submit(stream, &(struct sim_task){ .kind = SIM_NOTHING, .name = "value" });
}

/* ---- events ---- */

/* It ends with its context. */
static int is_event(const struct event *e)
{
	const struct context *c = sim_is(e, SIM_EVENT) ? e->context : NULL;

	return c && c->life == e->life ? 0 : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
	struct context *c = driver_context();
	int rc = c ? sim_event_new(phEvent, Flags) : SIM_ERROR_INVALID_CONTEXT;

	if (rc)
		return rc;
	((struct event *)*phEvent)->context = c;
	((struct event *)*phEvent)->life = c->life;
	return 0;
}

CUresult do_cuEventDestroy_v2(CUevent hEvent)
{
	int rc = is_event(hEvent);

	return rc ? rc : sim_event_end(hEvent);
}

CUresult do_cuEventDestroy(CUevent hEvent)
{
	return do_cuEventDestroy_v2(hEvent);
}

CUresult do_cuEventRecord(CUevent hEvent, CUstream hStream)
{
	void *stream;
	int rc = driver_stream(hStream, &stream);

	if (!rc)
		rc = is_event(hEvent);
	if (!rc)
		rc = driver_may(stream);
	return rc ? rc : sim_event_record(hEvent, stream);
}

CUresult do_cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)
{
	return do_cuEventRecord(hEvent, hStream);
}

/* One that was recorded in a capture is not asked for; the capture is invalid then. */
static int look_at_event(CUevent given)
{
	struct event *e = given;
	int rc = is_event(given);

	if (rc)
		return rc;
	if (e->graph)
		return driver_spoiled(e->stream, SIM_EVENT_CAPTURED);
	return driver_unsafe();
}

CUresult do_cuEventQuery(CUevent hEvent)
{
	bool complete = false;
	int rc = look_at_event(hEvent);

	if (!rc)
		rc = sim_event_query(hEvent, &complete);
	return rc || complete ? rc : SIM_ERROR_NOT_READY;
}

CUresult do_cuEventSynchronize(CUevent hEvent)
{
	int rc = look_at_event(hEvent);

	return rc ? rc : sim_event_synchronize(hEvent);
}

CUresult do_cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
	struct event *events[2] = { hStart, hEnd };
	uint64_t ns[2];
	int rc = 0;

	for (int i = 0; i < 2 && !rc; i++) {
		rc = is_event(events[i]);
		if (!rc && events[i]->flag & SIM_EVENT_NO_TIMING)
			rc = SIM_ERROR_INVALID_HANDLE;
		if (!rc)
			rc = sim_event_time(events[i], &ns[i]);
	}
	if (!rc)
		*pMilliseconds = (float)((double)(int64_t)(ns[1] - ns[0]) / 1e6);
	return rc;
}

CUresult do_cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
	return do_cuEventElapsedTime_v2(pMilliseconds, hStart, hEnd);
}
