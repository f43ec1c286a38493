#include "hooks/ascend/time/mspti.h"
#include <stdlib.h>
#include <string.h>
#include "agent/os/slow_path.h"
#include "agent/record/doorbell.h"
#include "agent/record/question.h"
#include "agent/record/rings.h"
#include "agent/session/session.h"
#include "hooks/ascend/time/mspti_calls.h"
#include "hooks/capture/device_times.h"
#include "hooks/capture/pairs/pools.h"
#include "hooks/link/resolve.h"

static struct {
	msptiResult (*subscribe)(void **, void (*)(void), void *);
	msptiResult (*unsubscribe)(void *);
	msptiResult (*callbacks)(void (*)(uint8_t **, size_t *, size_t *), void (*)(uint8_t *, size_t, size_t));
	msptiResult (*enable)(int32_t), (*disable)(int32_t), (*flush)(uint32_t);
	mspti_next *next;
	msptiResult (*push)(int32_t, uint64_t), (*pop)(int32_t, uint64_t *);
} vendor;

static void *subscriber;
static _Atomic bool running;
static bool collectives; /* are told of */
static uint32_t generation;
static uint64_t window;		   /* windows when it was last decided */
static _Atomic uint32_t inside;	   /* threads between begin and end */
static _Atomic uint32_t contested; /* counts up when there was more than one */
static struct thread {
	uint32_t contested, depth;
	bool alone;	  /* when its outermost call began */
} threads[RINGS_MAX + 1]; /* by ring: a thread has one as long as it records */

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

static bool subscribe(void)
{
	if (vendor.subscribe(&subscriber, NULL, NULL))
		return false; /* the one place is taken */
	if (!vendor.callbacks(mspti_records_request, mspti_records_complete) && !vendor.enable(MSPTI_KIND_EXTERNAL_CORRELATION)) {
		if (!vendor.enable(MSPTI_KIND_KERNEL)) {
			collectives = !vendor.enable(MSPTI_KIND_COMMUNICATION); /* newer than 8.1.RC1 */
			return true;
		}
		vendor.disable(MSPTI_KIND_EXTERNAL_CORRELATION);
	}
	vendor.unsubscribe(subscriber);
	return false;
}

/* In a forked child nobody is inside, whatever the parent's threads did. */
static void forget_parent(void)
{
	mspti_calls_forget();
	memset(threads, 0, sizeof(threads));
	atomic_store(&inside, 0);
}

static void start(void)
{
	uint32_t was;
	bool done;

	if (!is_preloaded() || !mspti_calls_room() || !find_vendor())
		return;
	if (generation != session_generation)
		forget_parent();
	was = question_in();
	done = subscribe();
	question_out(was);
	if (!done)
		return;
	generation = session_generation;
	atomic_fetch_add(&doorbell.held, 1); /* so that somebody comes to stop it */
	atomic_store(&running, true);
}

static bool is_running(void)
{
	return atomic_load(&running) && generation == session_generation;
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

static struct thread *mine(void)
{
	return &threads[producer.ring->place];
}

/*
 * msPTI keeps the numbers of all threads in one stack: only one of them at a time can be told apart. Who comes second has no
 * number, and is inside all the same: what it gives meanwhile may be taken for the work of whoever has one.
 */
static bool enter(struct thread *t)
{
	if (t->depth++)
		return t->alone;
	t->contested = atomic_load(&contested);
	t->alone = !atomic_fetch_add(&inside, 1);
	if (!t->alone)
		atomic_fetch_add(&contested, 1);
	return t->alone;
}

static void leave(struct thread *t)
{
	if (!--t->depth)
		atomic_fetch_sub(&inside, 1);
}

static bool push(uint64_t number)
{
	if (!vendor.push(MSPTI_CORRELATION_CUSTOM2, number))
		return true;
	mspti_calls_drop(number);
	return false;
}

uint64_t mspti_begin(enum mspti_work work)
{
	uint32_t was = question_in(); /* a signal's handler that calls the vendor meanwhile passes us by */
	bool told = enter(mine()) && (work < MSPTI_COLLECTIVE || (work == MSPTI_COLLECTIVE && collectives));
	uint64_t number = told ? mspti_calls_begin(work) : 0;

	if (number && !push(number))
		number = 0;
	question_out(was);
	return number;
}

static void pop(uint64_t number)
{
	uint64_t last = 0;
	bool lost = vendor.pop(MSPTI_CORRELATION_CUSTOM2, &last) || last != number;

	mspti_calls_end(number, lost || atomic_load(&contested) != mine()->contested);
}

void mspti_end(uint64_t number)
{
	uint32_t was = question_in();

	if (number)
		pop(number);
	leave(mine());
	question_out(was);
}

void mspti_keep(uint64_t number, const struct call *c, void *stream)
{
	uint32_t node = is_running() ? device_times_take() : 0; /* else it was stopped meanwhile */

	if (node) {
		timing_note(timing_at(node), c);
		timing_at(node)->what = stream;
		timing_at(node)->window = doorbell_await_time();
		mspti_calls_keep(number, node, false);
		if (is_running() || !mspti_calls_unkeep(number)) /* in this very moment: nobody may come */
			return;
		doorbell_times_came(timing_at(node)->window, 1);
		device_times_give(node);
	}
	device_times_missed();
	mspti_calls_drop(number);
}

bool mspti_share(uint64_t number, uint32_t node)
{
	mspti_calls_keep(number, node, true);
	if (is_running() || !mspti_calls_unkeep(number))
		return true;
	mspti_calls_drop(number);
	return false;
}

int mspti_answer(uint64_t number)
{
	return mspti_calls_answer(number);
}

bool mspti_leave(uint64_t number)
{
	return mspti_calls_unkeep(number);
}

void mspti_drop(uint64_t number)
{
	mspti_calls_drop(number);
}

/* ---- reading ---- */

static void ask(bool all)
{
	uint32_t was = question_in();

	if (all) {
		if (collectives)
			vendor.disable(MSPTI_KIND_COMMUNICATION);
		vendor.disable(MSPTI_KIND_KERNEL); /* which brings what the device has not told yet */
		vendor.disable(MSPTI_KIND_EXTERNAL_CORRELATION);
	}
	vendor.flush(1);
	question_out(was);
}

static void end(void)
{
	uint32_t was = question_in();

	vendor.unsubscribe(subscriber);
	question_out(was);
	atomic_store(&running, false);
	atomic_fetch_sub(&doorbell.held, 1);
	doorbell_ring();
}

static void read_records(bool all)
{
	uint32_t was = question_in();

	mspti_records_read(vendor.next);
	question_out(was);
	mspti_calls_collect(all);
}

static void harvest(bool all)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	struct slow_path guard;

	if (!is_running() || atomic_flag_test_and_set(&busy))
		return;
	guard = slow_path_begin();
	ask(all);
	read_records(all);
	if (all) {
		end();
		mspti_calls_collect(true); /* what was kept meanwhile */
	}
	slow_path_end(guard);
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
