#include "hooks/mspti_calls.h"
#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/flush.h"
#include "agent/pages.h"
#include "hooks/ascend.h"
#include "hooks/devices.h"
#include "hooks/timing.h"

#define CALLS	 TOLD
#define MARGIN	 10000000u    /* ns: two clocks of one host differ by less, a wrong kernel most often by more */
#define OF_MSPTI (1ull << 32) /* in the books of devices: the same device by msPTI's clock */

/* A call that waits for the work that it gave: number % CALLS. */
struct waiting {
	_Atomic uint64_t number; /* 0: the place is free. Calls inside of it have the numbers that follow, */
	uint64_t last;		 /* up to this one */
	uint64_t earliest;
	uint32_t node, records_before;
	bool outer, doubtful;
	_Atomic uint64_t kept; /* its number: the reader's from now on, or */
};
#define LOOKED_AT (1ull << 63) /* the reader is at it */

static struct waiting *calls;
static uint64_t oldest = 1;	/* the reader's: calls before it do not wait */
static _Atomic uint64_t newest; /* numbers given */

static struct waiting *place_of(uint64_t number)
{
	return &calls[number % CALLS];
}

bool mspti_calls_room(void)
{
	return pages_once(&calls, CALLS * sizeof(*calls)) && records_room();
}

void mspti_calls_forget(void)
{
	for (; oldest <= atomic_load(&newest); oldest++)
		atomic_store(&place_of(oldest)->number, 0);
}

/* ---- around a call ---- */

static uint64_t realtime_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t mspti_calls_begin(bool outer)
{
	uint64_t number = atomic_load(&newest) + 1;
	struct waiting *w = place_of(number);

	if (atomic_load(&w->number))
		return 0; /* somebody waits there still */
	w->last = number;
	w->earliest = realtime_now();
	w->records_before = 0;
	w->outer = outer;
	w->doubtful = false;
	atomic_store(&w->kept, 0);
	atomic_store(&w->number, number);
	atomic_store(&newest, number);
	return number;
}

void mspti_calls_end(uint64_t number, bool doubtful)
{
	place_of(number)->doubtful = doubtful;
	place_of(number)->last = atomic_load(&newest);
}

void mspti_calls_keep(uint64_t number, uint32_t node, const struct call *c, void *stream)
{
	struct waiting *w = place_of(number);

	timing_note(timing_at(node), c);
	timing_at(node)->what = stream;
	atomic_fetch_add(&flush_pending, 1);
	w->node = node;
	atomic_store(&w->kept, number);
}

void mspti_calls_drop(uint64_t number)
{
	atomic_store(&place_of(number)->number, 0);
}

static void let_go(struct waiting *w)
{
	timing_give(w->node);
	atomic_fetch_sub(&flush_pending, 1);
	atomic_store(&w->number, 0);
}

void mspti_calls_unkeep(uint64_t number)
{
	struct waiting *w = place_of(number);

	if (!atomic_compare_exchange_strong(&w->kept, &(uint64_t){ number }, 0))
		return; /* somebody is at it */
	timing_missed();
	let_go(w);
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

/* Of a call, and of those inside of it: its work is theirs. */
static struct told sum_of(uint64_t number, const struct waiting *w)
{
	struct told sum = { .begin = UINT64_MAX };

	for (uint64_t n = number; n <= w->last; n++) {
		const struct told *t = records_of(n);

		if (!t)
			continue;
		sum.begin = t->begin < sum.begin ? t->begin : sum.begin;
		sum.end = t->end > sum.end ? t->end : sum.end;
		sum.wrong |= t->wrong;
		sum.device = t->device;
		sum.records += t->records;
	}
	return sum;
}

static bool is_right(const struct waiting *w, const struct told *t)
{
	return t->records && !t->wrong && !w->doubtful && (w->outer || t->records == 1) && t->begin + MARGIN >= w->earliest &&
	       t->end <= realtime_now() + MARGIN;
}

static void write_times(const struct waiting *w, const struct told *told)
{
	const struct timing *t = timing_at(w->node);
	uint32_t device;

	if (!is_right(w, told)) {
		timing_missed();
		return;
	}
	device = device_of(told->device);
	look_at_clock(device);
	if (!timing_write(t, stream_of(t, device), told->begin, told->end - told->begin))
		timing_missed();
}

/* Where it is not known how many kernels there are, more may come, as long as more came since the last look. */
static bool is_done(uint64_t number, struct waiting *w, const struct told *told)
{
	uint64_t expected = w->outer ? w->last - number : 1;
	bool done = told->records && (told->records == expected || told->records == w->records_before);

	w->records_before = told->records;
	return done;
}

static void look_at(uint64_t number, bool all)
{
	struct waiting *w = place_of(number);
	struct told told;

	if (!atomic_compare_exchange_strong(&w->kept, &(uint64_t){ number }, number | LOOKED_AT))
		return;
	told = sum_of(number, w);
	if (!is_done(number, w, &told) && !all) {
		atomic_store(&w->kept, number);
		return;
	}
	write_times(w, &told);
	let_go(w);
}

void mspti_calls_collect(bool all)
{
	uint64_t last = atomic_load(&newest);

	for (uint64_t n = oldest; n <= last; n++)
		look_at(n, all);
	while (oldest <= last && atomic_load(&place_of(oldest)->number) != oldest)
		oldest++;
}
