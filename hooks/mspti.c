#include "hooks/mspti.h"
#include "agent/agent.h"
#include "agent/clock.h"
#include "agent/flush.h"
#include "agent/pages.h"
#include "agent/quiet.h"
#include "agent/rings.h"
#include "agent/session.h"
#include "hooks/ascend.h"
#include "hooks/ascend_pairs.h"
#include "hooks/devices.h"
#include "hooks/mspti_abi.h"
#include "hooks/resolve.h"
#include "hooks/timing.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CALLS	 (1u << 16)   /* at a time */
#define BUFFER	 (4u << 20)   /* msPTI warns of less than 2 MiB */
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

static struct {
	msptiResult (*subscribe)(void **, void (*)(void), void *);
	msptiResult (*unsubscribe)(void *);
	msptiResult (*callbacks)(void (*)(uint8_t **, size_t *, size_t *), void (*)(uint8_t *, size_t, size_t));
	msptiResult (*enable)(int32_t), (*disable)(int32_t), (*flush)(uint32_t);
	msptiResult (*next)(uint8_t *, size_t, mspti_record **);
	msptiResult (*push)(int32_t, uint64_t), (*pop)(int32_t, uint64_t *);
} vendor;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* over calls and correlations */
static struct waiting *calls;
static struct {
	uint64_t correlation, number;
} * correlations;		    /* correlation % CALLS */
static uint64_t oldest = 1, newest; /* numbers of calls that may wait */
static void *subscriber;
static _Atomic bool running;
static uint32_t generation;
static uint64_t window;		   /* windows when it was last decided */
static _Atomic uint32_t inside;	   /* threads between begin and end */
static _Atomic uint32_t contested; /* counts up when there was more than one */
static struct thread {
	uint64_t number; /* the innermost call */
	uint32_t contested, depth;
} threads[RINGS_MAX + 1]; /* by ring: a thread has one as long as it records */

/* ---- what it tells ---- */

/* A signal's handler that calls the vendor meanwhile passes us by, and does not wait for a lock that we hold. */
static uint32_t hold(void)
{
	uint32_t was = pairs_enter();

	pthread_mutex_lock(&lock);
	return was;
}

static void let_go(uint32_t was)
{
	pthread_mutex_unlock(&lock);
	pairs_leave(was);
}

static void request_buffer(uint8_t **buffer, size_t *size, size_t *most)
{
	void *memory = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*buffer = memory == MAP_FAILED ? NULL : memory;
	*size = memory == MAP_FAILED ? 0 : BUFFER;
	*most = 0;
}

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

static void complete_buffer(uint8_t *buffer, size_t size, size_t valid)
{
	mspti_record *record = NULL;
	uint32_t was;

	(void)size;
	if (!buffer)
		return;
	was = hold();
	while (valid && !vendor.next(buffer, valid, &record)) {
		if (record->kind == MSPTI_KIND_KERNEL)
			take_kernel((const mspti_kernel *)(const void *)record);
		else if (record->kind == MSPTI_KIND_EXTERNAL_CORRELATION)
			take_external((const mspti_external *)(const void *)record);
	}
	let_go(was);
	munmap(buffer, BUFFER);
}

/* ---- begin and end of a window ---- */

static bool find_vendor(void)
{
	static _Atomic(void *) of[9];

	vendor.subscribe = hook_vendor(&of[0], "msptiSubscribe");
	vendor.unsubscribe = hook_vendor(&of[1], "msptiUnsubscribe");
	vendor.callbacks = hook_vendor(&of[2], "msptiActivityRegisterCallbacks");
	vendor.enable = hook_vendor(&of[3], "msptiActivityEnable");
	vendor.disable = hook_vendor(&of[4], "msptiActivityDisable");
	vendor.flush = hook_vendor(&of[5], "msptiActivityFlushAll");
	vendor.next = hook_vendor(&of[6], "msptiActivityGetNextRecord");
	vendor.push = hook_vendor(&of[7], "msptiActivityPushExternalCorrelationId");
	vendor.pop = hook_vendor(&of[8], "msptiActivityPopExternalCorrelationId");
	return vendor.subscribe && vendor.unsubscribe && vendor.callbacks && vendor.enable && vendor.disable &&
	       vendor.flush && vendor.next && vendor.push && vendor.pop;
}

/* A file of this very name, not one of ours that ends alike. */
static bool is_preloaded(void)
{
	static const char name[] = "libmspti.so";
	const char *at = getenv("LD_PRELOAD");

	while (at && (at = strstr(at, name))) {
		const char *before = at - 1;

		at += sizeof(name) - 1;
		if (strchr(": ", *at) && (before < getenv("LD_PRELOAD") || strchr("/: ", *before)))
			return true;
	}
	return false;
}

static bool have_room(void)
{
	if (!pages_once(&calls, CALLS * (sizeof(*calls) + sizeof(*correlations))))
		return false;
	correlations = (void *)(calls + CALLS);
	return true;
}

static bool subscribe(void)
{
	if (vendor.subscribe(&subscriber, NULL, NULL))
		return false; /* the one place is taken */
	if (!vendor.callbacks(request_buffer, complete_buffer) && !vendor.enable(MSPTI_KIND_EXTERNAL_CORRELATION)) {
		if (!vendor.enable(MSPTI_KIND_KERNEL))
			return true;
		vendor.disable(MSPTI_KIND_EXTERNAL_CORRELATION);
	}
	vendor.unsubscribe(subscriber);
	return false;
}

static void start(void)
{
	uint32_t was;
	bool done;

	if (!is_preloaded() || !have_room() || !find_vendor())
		return;
	if (generation != record_generation) { /* a parent may have held it when it forked us */
		lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
		oldest = newest + 1;
	}
	was = pairs_enter();
	done = subscribe();
	pairs_leave(was);
	if (!done)
		return;
	generation = record_generation;
	atomic_fetch_add(&flush_held, 1); /* so that somebody comes to stop it */
	atomic_store(&running, true);
}

static bool is_running(void)
{
	return atomic_load(&running) && generation == record_generation;
}

bool mspti_ready(void)
{
	static atomic_flag deciding = ATOMIC_FLAG_INIT;
	uint64_t now = atomic_load(&session->windows);

	if (__atomic_load_n(&window, __ATOMIC_RELAXED) == now || atomic_flag_test_and_set(&deciding))
		return is_running();
	if (window != now && !is_running())
		start();
	__atomic_store_n(&window, now, __ATOMIC_RELAXED);
	atomic_flag_clear(&deciding);
	return is_running();
}

/* ---- around a call ---- */

static uint64_t realtime_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct thread *mine(void)
{
	return &threads[producer.ring->id];
}

static uint64_t new_call(bool outer)
{
	uint32_t was = hold();
	uint64_t number = newest + 1;
	struct waiting *w = &calls[number % CALLS];

	if (w->number)
		number = 0; /* somebody waits there still */
	else
		*w = (struct waiting){ .number = number,
				       .outer = mine()->number,
				       .earliest = realtime_now(),
				       .expected = !outer };
	if (number && call_of(mine()->number))
		call_of(mine()->number)->expected++;
	newest += !!number;
	let_go(was);
	return number;
}

/* msPTI keeps the numbers of all threads in one stack: only one of them at a time can be told apart. */
static bool enter(struct thread *t)
{
	if (t->depth++)
		return true;
	t->number = 0;
	if (atomic_fetch_add(&inside, 1)) {
		atomic_fetch_add(&contested, 1);
		atomic_fetch_sub(&inside, 1);
		t->depth = 0;
		return false;
	}
	t->contested = atomic_load(&contested);
	return true;
}

static void leave(struct thread *t)
{
	if (!--t->depth)
		atomic_fetch_sub(&inside, 1);
}

static bool push(uint64_t number)
{
	uint32_t was = pairs_enter();
	bool done = !vendor.push(MSPTI_CORRELATION_CUSTOM2, number);

	pairs_leave(was);
	if (!done)
		mspti_drop(number);
	return done;
}

uint64_t mspti_begin(bool outer)
{
	struct thread *t = mine();
	uint64_t number = enter(t) ? new_call(outer) : 0;

	if (number && push(number)) {
		t->number = number;
		return number;
	}
	if (t->depth)
		leave(t);
	return 0;
}

void mspti_end(uint64_t number)
{
	uint32_t was = pairs_enter();
	uint64_t last = 0;
	struct waiting *w;
	bool doubtful = vendor.pop(MSPTI_CORRELATION_CUSTOM2, &last) || last != number;

	pairs_leave(was);
	was = hold();
	w = call_of(number);
	mine()->number = w ? w->outer : 0;
	if (w)
		w->doubtful |= doubtful || atomic_load(&contested) != mine()->contested;
	let_go(was);
	leave(mine());
}

void mspti_keep(uint64_t number, const struct call *c, void *stream)
{
	uint32_t node = is_running() ? timing_take() : 0, was; /* else it was stopped meanwhile */
	struct waiting *w;

	if (!node) {
		timing_missed();
		mspti_drop(number);
		return;
	}
	timing_note(timing_at(node), c);
	timing_at(node)->what = stream;
	atomic_fetch_add(&flush_pending, 1);
	was = hold();
	w = call_of(number);
	w->node = node;
	w->over = true;
	let_go(was);
}

void mspti_drop(uint64_t number)
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

static void collect(bool all)
{
	uint64_t last = __atomic_load_n(&newest, __ATOMIC_ACQUIRE), latest = realtime_now() + MARGIN;
	struct waiting w;

	for (uint64_t n = oldest; n <= last; n++)
		if (take_if_done(n, all, &w))
			write_times(&w, w.kernels && !w.doubtful && w.end <= latest);
	while (oldest <= last && calls[oldest % CALLS].number != oldest)
		oldest++;
}

static void ask(bool all)
{
	uint32_t was = pairs_enter();

	if (all) {
		vendor.disable(MSPTI_KIND_KERNEL); /* which brings what the device has not told yet */
		vendor.disable(MSPTI_KIND_EXTERNAL_CORRELATION);
	}
	vendor.flush(1);
	pairs_leave(was);
}

static void end(void)
{
	uint32_t was = pairs_enter();

	vendor.unsubscribe(subscriber);
	pairs_leave(was);
	atomic_store(&running, false);
	atomic_fetch_sub(&flush_held, 1);
	flush_wake();
}

static void harvest(bool all)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	struct quiet quiet;

	if (!is_running() || atomic_flag_test_and_set(&busy))
		return;
	quiet = quiet_begin();
	ask(all);
	collect(all);
	if (all)
		end();
	quiet_end(quiet);
	atomic_flag_clear(&busy);
}

void mspti_harvest(void)
{
	harvest(!((uint32_t)gate_load() & GATE_WINDOW));
}

void mspti_stop(void)
{
	harvest(true);
}
