#include "hooks/capture/records/record_calls.h"
#include "agent/os/clock.h"
#include "agent/os/pages.h"
#include "agent/record/doorbell.h"
#include "hooks/capture/device_times.h"
#include "hooks/capture/devices.h"

#define CALLS  TOLD
#define MARGIN 10000000u /* ns: two clocks of one host differ by less, a wrong kernel most often by more */

/* A call that waits for the work that it gave: number % CALLS. */
struct waiting {
	_Atomic uint64_t number; /* 0: the place is free; with AHEAD: its call is still to begin */
	uint64_t self, outer;	 /* its number still, and that of the call around it, or 0 */
	uint64_t first, last;	 /* the lane's counts while it was under way: calls inside of it have some of those */
	uint64_t earliest;
	uint32_t node, records_before;
	uint32_t inside; /* calls inside of it */
	enum record_work work;
	bool doubtful, shared;
	_Atomic uint64_t kept; /* its number: the reader's from now on; with */
};
#define AHEAD	  (1ull << 63)
#define LOOKED_AT (1ull << 63) /* the reader is at it */
#define ANSWERED  (1ull << 62) /* shared: its time is written, */
#define UNKNOWN	  (1ull << 61) /* or will not be */

static struct waiting *place_of(const struct record_tool *tool, uint64_t number)
{
	return &tool->calls[number % CALLS];
}

static struct record_lane *lane_of(struct record_tool *tool, uint64_t number)
{
	return &tool->lane[number % tool->lanes];
}

bool record_calls_room(struct record_tool *tool)
{
	return pages_once(&tool->calls, CALLS * sizeof(*tool->calls)) && records_room(&tool->records);
}

static uint64_t number_of(const struct record_tool *tool, const struct record_lane *lane, uint64_t count)
{
	return count * tool->lanes + (uint64_t)(lane - tool->lane);
}

/* Of a lane's numbers no more than these have a place: one each. */
static uint64_t oldest_with_place(const struct record_tool *tool, const struct record_lane *lane, uint64_t newest)
{
	uint64_t places = CALLS / tool->lanes;

	return newest - lane->oldest > places ? newest - places + 1 : lane->oldest + 1;
}

void record_calls_forget(struct record_tool *tool)
{
	for (unsigned int i = 0; i < tool->lanes; i++) {
		struct record_lane *lane = &tool->lane[i];
		uint64_t newest = atomic_load(&lane->newest);

		for (uint64_t count = oldest_with_place(tool, lane, newest); count <= newest; count++)
			atomic_store(&place_of(tool, number_of(tool, lane, count))->number, 0);
		lane->oldest = newest;
	}
}

/* ---- around a call ---- */

uint64_t record_calls_number(struct record_tool *tool, unsigned int lane)
{
	uint64_t number = number_of(tool, &tool->lane[lane], atomic_fetch_add(&tool->lane[lane].newest, 1) + 1);

	/* Somebody may wait there still. */
	return atomic_compare_exchange_strong(&place_of(tool, number)->number, &(uint64_t){ 0 }, number | AHEAD) ? number : 0;
}

void record_calls_begin(struct record_tool *tool, uint64_t number, uint64_t outer, enum record_work work)
{
	struct waiting *w = place_of(tool, number), *around = place_of(tool, outer);

	w->self = number;
	w->outer = outer;
	w->first = atomic_load(&lane_of(tool, number)->newest);
	w->last = w->first;
	w->earliest = tool->now();
	w->records_before = w->inside = 0;
	w->work = work;
	w->doubtful = false;
	if (outer && around->self == outer)
		around->inside++;
	atomic_store(&w->kept, 0);
	atomic_store(&w->number, number);
}

void record_calls_end(struct record_tool *tool, uint64_t number, bool doubtful)
{
	place_of(tool, number)->doubtful = doubtful;
	place_of(tool, number)->last = atomic_load(&lane_of(tool, number)->newest);
}

void record_calls_keep(struct record_tool *tool, uint64_t number, uint32_t node, bool shared)
{
	struct waiting *w = place_of(tool, number);

	w->node = node;
	w->shared = shared;
	atomic_store(&w->kept, number);
}

void record_calls_drop(struct record_tool *tool, uint64_t number)
{
	atomic_store(&place_of(tool, number)->number, 0);
}

bool record_calls_unkeep(struct record_tool *tool, uint64_t number)
{
	return atomic_compare_exchange_strong(&place_of(tool, number)->kept, &(uint64_t){ number }, 0);
}

int record_calls_answer(struct record_tool *tool, uint64_t number)
{
	uint64_t kept = atomic_load(&place_of(tool, number)->kept);

	return kept & ANSWERED ? 1 : kept & UNKNOWN ? -1
						    : 0;
}

/* ---- reading ---- */

/* In the table of devices: the same device by the tool's clock. */
static uint32_t device_of(const struct record_tool *tool, uint32_t number)
{
	uint64_t handle = tool->devices + number;
	uint32_t id = device_known(handle);
	char name[128];

	if (id)
		return id;
	id = device_id(handle, contexts_device_name(tool->streams, (int32_t)number, name, sizeof(name)));
	device_source(id, tool->name);
	return id;
}

/* The same stream, on the device that has the tool's clock. */
static uint16_t stream_of(struct record_tool *tool, const struct timing *t, uint32_t device)
{
	if (!tool->twins[t->stream])
		tool->twins[t->stream] = stream_id((uintptr_t)t->what, device, false);
	return tool->twins[t->stream];
}

static void look_at_clock(const struct record_tool *tool, uint32_t device)
{
	uint64_t from = clock_ticks(), now = tool->now();

	device_times_clock(device, now, from, clock_ticks());
}

static void add_told(const struct record_tool *tool, uint64_t number, unsigned int of, struct span *sum)
{
	const struct told *t = records_of(&tool->records, number);

	if (t)
		span_add(sum, &t->of[of]);
}

/* Of a call, and of those inside of it: its work is theirs. */
static struct span sum_of(struct record_tool *tool, uint64_t number, const struct waiting *w)
{
	unsigned int of = w->work == RECORD_COLLECTIVE && tool->collectives_apart ? OF_COLLECTIVES : OF_KERNELS;
	const struct record_lane *lane = lane_of(tool, number);
	struct span sum = { 0 };

	add_told(tool, number, of, &sum);
	for (uint64_t count = w->first; w->inside && count <= w->last; count++) {
		uint64_t n = number_of(tool, lane, count);
		const struct waiting *inner = place_of(tool, n);

		if (inner->self == n && inner->outer == number)
			add_told(tool, n, of, &sum);
	}
	return sum;
}

/* 0: it is not known how many records there are. */
static uint64_t expected(const struct record_tool *tool, const struct waiting *w)
{
	if (w->work == RECORD_OPERATOR || (w->work == RECORD_COLLECTIVE && tool->each_seen))
		return w->inside;
	return 1;
}

static bool is_right(const struct record_tool *tool, const struct waiting *w, const struct span *s)
{
	bool exactly = w->work == RECORD_LAUNCH || tool->each_seen;

	return s->records && !s->wrong && !w->doubtful && (!exactly || s->records == expected(tool, w)) &&
	       s->begin + MARGIN >= w->earliest && s->end <= tool->now() + MARGIN;
}

static bool write_times(struct record_tool *tool, const struct waiting *w, const struct span *span)
{
	const struct timing *t = timing_at(w->node);
	uint32_t device;

	if (!is_right(tool, w, span))
		return false;
	device = device_of(tool, span->device);
	look_at_clock(tool, device);
	return timing_write(t, stream_of(tool, t, device), span->begin, span->end - span->begin);
}

static void answer(struct record_tool *tool, uint64_t number, struct waiting *w, bool known)
{
	if (w->shared) {
		atomic_store(&w->kept, number | (known ? ANSWERED : UNKNOWN));
		return;
	}
	if (!known)
		device_times_missed();
	doorbell_times_came(timing_at(w->node)->window, 1);
	device_times_give(w->node);
	record_calls_drop(tool, number);
}

/* Where that is not known more may come, as long as more came since the last look. */
static bool is_done(const struct record_tool *tool, struct waiting *w, const struct span *span)
{
	bool stays = !tool->each_seen && span->records == w->records_before;
	bool done = span->records && (span->records == expected(tool, w) || stays);

	w->records_before = span->records;
	return done;
}

static void look_at(struct record_tool *tool, struct waiting *w, bool all)
{
	uint64_t number = atomic_load(&w->number);
	struct span span;

	if (!number || atomic_load(&w->kept) != number || !atomic_compare_exchange_strong(&w->kept, &(uint64_t){ number }, number | LOOKED_AT))
		return;
	span = sum_of(tool, number, w);
	if (is_done(tool, w, &span) || all)
		answer(tool, number, w, write_times(tool, w, &span));
	else
		atomic_store(&w->kept, number);
}

/* A thread may have left with the number of its next call: then the oldest one stays, and who has its place now is one of many rounds ago. */
static void collect(struct record_tool *tool, struct record_lane *lane, bool all)
{
	uint64_t newest = atomic_load(&lane->newest);

	for (uint64_t count = oldest_with_place(tool, lane, newest); count <= newest; count++)
		look_at(tool, place_of(tool, number_of(tool, lane, count)), all);
	for (uint64_t n; lane->oldest < newest; lane->oldest++) {
		n = number_of(tool, lane, lane->oldest + 1);
		if ((atomic_load(&place_of(tool, n)->number) & ~AHEAD) == n)
			break;
	}
}

void record_calls_collect(struct record_tool *tool, bool all)
{
	for (unsigned int i = 0; i < tool->lanes; i++)
		collect(tool, &tool->lane[i], all);
}
