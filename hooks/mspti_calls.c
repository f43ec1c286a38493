#include "hooks/mspti_calls.h"
#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/flush.h"
#include "agent/pages.h"
#include "hooks/ascend.h"
#include "hooks/ascend_pools.h"
#include "hooks/devices.h"
#include "hooks/timing.h"
#include <pthread.h>

#define CALLS	 (1u << 16)   /* at a time */
#define MARGIN	 10000000u    /* ns: two clocks of one host differ by less, a wrong kernel most often by more */
#define OF_MSPTI (1ull << 32) /* in the books of devices: the same device by msPTI's clock */

/* A call that waits for the kernels that it gave: number % CALLS. */
struct waiting {
	uint64_t number; /* 0: the place is free */
	uint64_t outer;	 /* the call that it is inside of, or 0 */
	uint64_t begin, end, earliest;
	uint32_t node, device, kernels, kernels_before;
	uint32_t expected; /* kernels; 0: not known */
	bool over, doubtful;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* over calls and correlations */
static struct waiting *calls;
static struct {
	uint64_t correlation, number;
} * correlations;		    /* correlation % CALLS */
static uint64_t oldest = 1, newest; /* numbers of calls that may wait */

/* A signal's handler that calls the vendor meanwhile passes us by, and does not wait for a lock that we hold. */
static uint32_t hold(void)
{
	uint32_t was = pools_enter();

	pthread_mutex_lock(&lock);
	return was;
}

static void let_go(uint32_t was)
{
	pthread_mutex_unlock(&lock);
	pools_leave(was);
}

bool mspti_calls_room(void)
{
	if (!pages_once(&calls, CALLS * (sizeof(*calls) + sizeof(*correlations))))
		return false;
	correlations = (void *)(calls + CALLS);
	return true;
}

void mspti_calls_forget(void)
{
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	oldest = newest + 1;
}

/* ---- what it tells ---- */

static struct waiting *call_of(uint64_t number)
{
	struct waiting *w = number ? &calls[number % CALLS] : NULL;

	return w && w->number == number ? w : NULL;
}

static void add_time(struct waiting *w, const mspti_kernel *k)
{
	if (!w->kernels || k->start < w->begin)
		w->begin = k->start;
	if (k->end > w->end)
		w->end = k->end;
	w->doubtful |= k->start + MARGIN < w->earliest || k->end < k->start;
	w->device = k->device;
	w->kernels++;
}

static void take_kernel(const mspti_kernel *k)
{
	uint64_t number = correlations[k->correlation % CALLS].correlation == k->correlation
				  ? correlations[k->correlation % CALLS].number
				  : 0;

	if (!k->start || !k->end)
		return;
	for (struct waiting *w = call_of(number); w; w = call_of(w->outer))
		add_time(w, k);
}

static void take_external(const mspti_external *e)
{
	if (e->of != MSPTI_CORRELATION_CUSTOM2)
		return;
	correlations[e->correlation % CALLS].correlation = e->correlation;
	correlations[e->correlation % CALLS].number = e->number;
}

void mspti_calls_read(uint8_t *buffer, size_t valid, mspti_next *next)
{
	mspti_record *record = NULL;
	uint32_t was = hold();

	while (valid && !next(buffer, valid, &record)) {
		if (record->kind == MSPTI_KIND_KERNEL)
			take_kernel((const mspti_kernel *)(const void *)record);
		else if (record->kind == MSPTI_KIND_EXTERNAL_CORRELATION)
			take_external((const mspti_external *)(const void *)record);
	}
	let_go(was);
}

/* ---- around a call ---- */

static uint64_t realtime_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t mspti_calls_begin(uint64_t around, bool outer)
{
	uint32_t was = hold();
	uint64_t number = newest + 1;
	struct waiting *w = &calls[number % CALLS];

	if (w->number)
		number = 0; /* somebody waits there still */
	else
		*w = (struct waiting){ .number = number,
				       .outer = around,
				       .earliest = realtime_now(),
				       .expected = !outer };
	if (number && call_of(around))
		call_of(around)->expected++;
	newest += !!number;
	let_go(was);
	return number;
}

uint64_t mspti_calls_end(uint64_t number, bool doubtful)
{
	uint32_t was = hold();
	struct waiting *w = call_of(number);
	uint64_t outer = w ? w->outer : 0;

	if (w)
		w->doubtful |= doubtful;
	let_go(was);
	return outer;
}

void mspti_calls_keep(uint64_t number, uint32_t node, const struct call *c, void *stream)
{
	struct waiting *w;
	uint32_t was;

	timing_note(timing_at(node), c);
	timing_at(node)->what = stream;
	atomic_fetch_add(&flush_pending, 1);
	was = hold();
	w = call_of(number);
	w->node = node;
	w->over = true;
	let_go(was);
}

void mspti_calls_drop(uint64_t number)
{
	uint32_t was = hold();
	struct waiting *w = call_of(number);

	if (w)
		w->number = 0;
	let_go(was);
}

/* ---- reading ---- */

static uint32_t device_of(uint32_t number)
{
	uint64_t handle = OF_MSPTI + number;
	uint32_t id = device_known(handle);
	char name[128];

	if (id)
		return id;
	id = device_id(handle, ascend_device_name((int32_t)number, name, sizeof(name)));
	device_source(id, "mspti");
	return id;
}

/* The same stream, on the device that has msPTI's clock. */
static uint16_t stream_of(const struct timing *t, uint32_t device)
{
	static uint16_t twins[65536];

	if (!twins[t->stream])
		twins[t->stream] = stream_id((uintptr_t)t->what, device, false);
	return twins[t->stream];
}

static void look_at_clock(uint32_t device)
{
	uint64_t from = clock_ticks(), now = realtime_now();

	timing_clock(device, now, from, clock_ticks());
}

static void write_times(const struct waiting *w, bool known)
{
	const struct timing *t = timing_at(w->node);
	uint32_t device;

	if (known) {
		device = device_of(w->device);
		look_at_clock(device);
		known = timing_write(t, stream_of(t, device), w->begin, w->end - w->begin);
	}
	if (!known)
		timing_missed();
	timing_give(w->node);
	atomic_fetch_sub(&flush_pending, 1);
}

/* Where it is not known how many kernels there are, more may come, as long as more came since the last look. */
static bool take_if_done(uint64_t number, bool all, struct waiting *taken)
{
	uint32_t was = hold();
	struct waiting *w = call_of(number);
	bool done = w && w->over && (all || (w->kernels && (w->kernels == w->expected || w->kernels == w->kernels_before)));

	if (w)
		w->kernels_before = w->kernels;
	if (done) {
		*taken = *w;
		w->number = 0;
	}
	let_go(was);
	return done;
}

void mspti_calls_collect(bool all)
{
	uint64_t last = __atomic_load_n(&newest, __ATOMIC_ACQUIRE), latest = realtime_now() + MARGIN;
	struct waiting w;

	for (uint64_t n = oldest; n <= last; n++)
		if (take_if_done(n, all, &w))
			write_times(&w, w.kernels && !w.doubtful && w.end <= latest);
	while (oldest <= last && calls[oldest % CALLS].number != oldest)
		oldest++;
}
