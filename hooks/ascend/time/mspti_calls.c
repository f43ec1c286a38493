#include "hooks/ascend/time/mspti_calls.h"
#include "agent/os/clock.h"
#include "agent/os/pages.h"
#include "agent/record/doorbell.h"
#include "hooks/ascend/tracking/tracking.h"
#include "hooks/capture/device_times.h"
#include "hooks/capture/devices.h"

#define CALLS	 TOLD
#define MARGIN	 10000000u    /* ns: two clocks of one host differ by less, a wrong kernel most often by more */
#define OF_MSPTI (1ull << 32) /* in the table of devices: the same device by msPTI's clock */

/* A call that waits for the work that it gave: number % CALLS. */
struct waiting {
	_Atomic uint64_t number; /* 0: the place is free. Calls inside of it have the numbers that follow, */
	uint64_t last;		 /* up to this one */
	uint64_t earliest;
	uint32_t node, records_before;
	enum mspti_work work;
	bool doubtful, shared;
	_Atomic uint64_t kept; /* its number: the reader's from now on; with */
};
#define LOOKED_AT (1ull << 63) /* the reader is at it */
#define ANSWERED  (1ull << 62) /* shared: its time is written, */
#define UNKNOWN	  (1ull << 61) /* or will not be */

static struct waiting *calls;
static uint64_t oldest = 1;	/* the reader's: calls before it do not wait */
static _Atomic uint64_t newest; /* numbers given */

static struct waiting *place_of(uint64_t number)
{
	return &calls[number % CALLS];
}

bool mspti_calls_room(void)
{
	return pages_once(&calls, CALLS * sizeof(*calls)) && mspti_records_room();
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

uint64_t mspti_calls_begin(enum mspti_work work)
{
	uint64_t number = atomic_load(&newest) + 1;
	struct waiting *w = place_of(number);

	if (atomic_load(&w->number))
		return 0; /* somebody waits there still */
	w->last = number;
	w->earliest = realtime_now();
	w->records_before = 0;
	w->work = work;
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

void mspti_calls_keep(uint64_t number, uint32_t node, bool shared)
{
	struct waiting *w = place_of(number);

	w->node = node;
	w->shared = shared;
	atomic_store(&w->kept, number);
}

void mspti_calls_drop(uint64_t number)
{
	atomic_store(&place_of(number)->number, 0);
}

bool mspti_calls_unkeep(uint64_t number)
{
	return atomic_compare_exchange_strong(&place_of(number)->kept, &(uint64_t){ number }, 0);
}

int mspti_calls_answer(uint64_t number)
{
	uint64_t kept = atomic_load(&place_of(number)->kept);

	return kept & ANSWERED ? 1 : kept & UNKNOWN ? -1
						    : 0;
}

/* ---- reading ---- */

static uint32_t device_of(uint32_t number)
{
	uint64_t handle = OF_MSPTI + number;
	uint32_t id = device_known(handle);
	char name[128];

	if (id)
		return id;
	id = device_id(handle, contexts_device_name(&ascend_streams, (int32_t)number, name, sizeof(name)));
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

	device_times_clock(device, now, from, clock_ticks());
}

/* Of a call, and of those inside of it: its work is theirs. */
static struct span sum_of(uint64_t number, const struct waiting *w)
{
	struct span sum = { 0 };

	for (uint64_t n = number; n <= w->last; n++) {
		const struct told *t = mspti_records_of(n);

		if (t)
			mspti_span_add(&sum, &t->of[w->work == MSPTI_COLLECTIVE ? OF_COLLECTIVES : OF_KERNELS]);
	}
	return sum;
}

static bool is_right(const struct waiting *w, const struct span *s)
{
	return s->records && !s->wrong && !w->doubtful && (w->work != MSPTI_LAUNCH || s->records == 1) &&
	       s->begin + MARGIN >= w->earliest && s->end <= realtime_now() + MARGIN;
}

static bool write_times(const struct waiting *w, const struct span *span)
{
	const struct timing *t = timing_at(w->node);
	uint32_t device;

	if (!is_right(w, span))
		return false;
	device = device_of(span->device);
	look_at_clock(device);
	return timing_write(t, stream_of(t, device), span->begin, span->end - span->begin);
}

static void answer(uint64_t number, struct waiting *w, bool known)
{
	if (w->shared) {
		atomic_store(&w->kept, number | (known ? ANSWERED : UNKNOWN));
		return;
	}
	if (!known)
		device_times_missed();
	doorbell_times_came(timing_at(w->node)->window, 1);
	device_times_give(w->node);
	mspti_calls_drop(number);
}

/* Where it is not known how many records there are, more may come, as long as more came since the last look. */
static bool is_done(uint64_t number, struct waiting *w, const struct span *span)
{
	uint64_t expected = w->work == MSPTI_OPERATOR ? w->last - number : 1;
	bool done = span->records && (span->records == expected || span->records == w->records_before);

	w->records_before = span->records;
	return done;
}

static void look_at(uint64_t number, bool all)
{
	struct waiting *w = place_of(number);
	struct span span;

	if (!atomic_compare_exchange_strong(&w->kept, &(uint64_t){ number }, number | LOOKED_AT))
		return;
	span = sum_of(number, w);
	if (is_done(number, w, &span) || all)
		answer(number, w, write_times(w, &span));
	else
		atomic_store(&w->kept, number);
}

void mspti_calls_collect(bool all)
{
	uint64_t last = atomic_load(&newest);

	for (uint64_t n = oldest; n <= last; n++)
		look_at(n, all);
	while (oldest <= last && atomic_load(&place_of(oldest)->number) != oldest)
		oldest++;
}
