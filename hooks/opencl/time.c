/* time.c - device times: events kept until the program itself has waited for them. */
#include "hooks/capture/device_times.h"
#include "hooks/link/resolve.h"
#include "hooks/opencl/tracking.h"

struct vendor {
	cl_int (*event_info)(cl_event, cl_event_info, size_t, void *, size_t *);
	cl_int (*profiling)(cl_event, cl_profiling_info, size_t, void *, size_t *);
	cl_int (*retain)(cl_event);
	cl_int (*release)(cl_event);
};

static struct timings commands = { .busy = ATOMIC_FLAG_INIT };

/* Those of the library whose function this thread called last; there is but one, most often. */
static bool find_vendor(struct vendor *v)
{
	static _Atomic(void *) info, profiling, retain, release;
	static _Atomic bool found, finding;
	static struct vendor only;

	if (LIKELY(atomic_load_explicit(&found, memory_order_acquire) && !hook_rivals)) {
		*v = only;
		return true;
	}
	v->event_info = hook_vendor(&info, "clGetEventInfo");
	v->profiling = hook_vendor(&profiling, "clGetEventProfilingInfo");
	v->retain = hook_vendor(&retain, "clRetainEvent");
	v->release = hook_vendor(&release, "clReleaseEvent");
	if (!v->event_info || !v->profiling || !v->retain || !v->release)
		return false;
	if (!hook_rivals && !atomic_exchange(&finding, true)) {
		only = *v;
		atomic_store_explicit(&found, true, memory_order_release);
	}
	return true;
}

/* ---- around a call ---- */

char opencl_no_event[1];

static void keep(const struct call *c, const struct own_event *own)
{
	struct vendor v;
	bool known = find_vendor(&v);
	uint32_t number = c->recording && known ? device_times_take() : 0;
	struct timing *t;

	if (!number) {
		device_times_missed();
		if (known && !own->given)
			v.release(own->event);
		return;
	}
	if (own->given)
		v.retain(own->event); /* the program's own: it may let go of it before we have read it */
	t = timing_at(number);
	t->what = own->event;
	t->provider = producer.provider;
	t->device = own->device;
	timing_keep(&commands, number, c);
	if (timing_crowded())
		opencl_harvest();
}

void opencl_take(const struct call *c, const struct own_event *own, bool ok)
{
	bool written = own->event != (cl_event)opencl_no_event;

	if (written && own->given)
		*own->given = own->event;
	if (!ok)
		return;
	if (written && own->event)
		keep(c, own);
	else
		device_times_missed();
}

/* ---- reading ---- */

static bool read_times(const struct vendor *v, const struct timing *t)
{
	cl_ulong queued = 0, start = 0, end = 0;

	if (v->profiling(t->what, CL_PROFILING_START, sizeof(start), &start, NULL) ||
	    v->profiling(t->what, CL_PROFILING_END, sizeof(end), &end, NULL) || end < start)
		return false;
	/* The device's clock when the command was queued, which was between the call's begin and end. */
	if (!v->profiling(t->what, CL_PROFILING_QUEUED, sizeof(queued), &queued, NULL) && queued)
		device_times_clock(t->device, queued, t->begin, t->end);
	return timing_write(t, t->stream, start, end - start);
}

/* True if it is done with, one way or the other. */
static bool collect(struct timing *t)
{
	void *last = producer.provider;
	cl_int status = 0;
	struct vendor its, *v = &its;
	bool known;

	producer.provider = t->provider;
	known = find_vendor(v);
	producer.provider = last;
	if (!known || v->event_info(t->what, CL_EVENT_STATUS, sizeof(status), &status, NULL))
		status = -1;
	if (status > 0)
		return false; /* queued, submitted or running */
	if (status < 0 || !read_times(v, t))
		device_times_missed();
	if (known)
		v->release(t->what);
	return true;
}

void opencl_harvest(void)
{
	device_times_harvest(&commands, collect);
}
