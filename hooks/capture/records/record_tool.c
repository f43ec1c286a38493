#include "hooks/capture/records/record_tool.h"
#include <string.h>
#include <time.h>
#include "agent/os/slow_path.h"
#include "agent/record/doorbell.h"
#include "agent/record/gate.h"
#include "agent/record/question.h"
#include "agent/session/session.h"
#include "hooks/capture/device_times.h"
#include "hooks/capture/records/record_calls.h"

#define NO_WINDOW UINT64_MAX

/* ---- begin and end of a window ---- */

/* In a forked child nobody is inside, whatever the parent's threads did. */
static void forget_parent(struct record_tool *tool)
{
	record_calls_forget(tool);
	memset(tool->threads, 0, sizeof(tool->threads));
	atomic_flag_clear(&tool->busy);
	for (unsigned int i = 0; i < tool->lanes; i++)
		atomic_store(&tool->lane[i].inside, 0);
}

static void start(struct record_tool *tool)
{
	uint32_t was;
	bool done;

	if (!record_calls_room(tool))
		return;
	if (tool->generation && tool->generation != session_generation)
		forget_parent(tool);
	was = question_in();
	done = tool->start();
	question_out(was);
	if (!done)
		return;
	tool->generation = session_generation;
	atomic_fetch_add(&doorbell.held, 1); /* so that somebody comes to stop it */
	atomic_store(&tool->running, true);
}

static bool is_running(const struct record_tool *tool)
{
	return atomic_load(&tool->running) && tool->generation == session_generation;
}

bool record_tool_ready(struct record_tool *tool)
{
	uint64_t now = atomic_load(&session->windows);

	if (!tool->may())
		return false;
	if (__atomic_load_n(&tool->window, __ATOMIC_RELAXED) == now || atomic_flag_test_and_set(&tool->deciding))
		return is_running(tool);
	if (tool->window != now) {
		tool->starts++;
		if (!is_running(tool))
			start(tool);
	}
	__atomic_store_n(&tool->window, now, __ATOMIC_RELAXED);
	atomic_flag_clear(&tool->deciding);
	return is_running(tool);
}

/* ---- around a call ---- */

static struct record_thread *mine(struct record_tool *tool)
{
	return &tool->threads[producer.ring->place];
}

static unsigned int my_lane(const struct record_tool *tool)
{
	return producer.ring->place & (tool->lanes - 1);
}

/*
 * Who comes second into a lane has no number, and is inside all the same: where the tool has one stack for all, what it gives meanwhile
 * may be taken for the work of whoever has one.
 */
static bool enter(struct record_tool *tool, struct record_thread *t)
{
	struct record_lane *lane = &tool->lane[my_lane(tool)];

	if (t->depth++)
		return t->alone;
	t->contested = atomic_load(&lane->contested);
	t->alone = !atomic_fetch_add(&lane->inside, 1);
	if (!t->alone)
		atomic_fetch_add(&lane->contested, 1);
	return t->alone;
}

static void leave(struct record_tool *tool, struct record_thread *t)
{
	if (!--t->depth)
		atomic_fetch_sub(&tool->lane[my_lane(tool)].inside, 1);
}

/* A number at this depth: that of the next call there. False: the tool takes none. */
static bool push(struct record_tool *tool, struct record_thread *t, uint32_t depth)
{
	uint64_t number = record_calls_number(tool, my_lane(tool));

	t->pushed[depth] = 0;
	if (number && tool->vendor.push(tool->number_kind, number))
		record_calls_drop(tool, number);
	else
		t->pushed[depth] = number;
	return t->pushed[depth];
}

/* False: it was not ours. */
static bool pop(struct record_tool *tool, struct record_thread *t, uint32_t depth)
{
	uint64_t last = 0, number = t->pushed[depth];

	t->pushed[depth] = 0;
	return !tool->vendor.pop(tool->number_kind, &last) && last == number;
}

/* What was given under the number before is nobody's. */
static void let_go(struct record_tool *tool, struct record_thread *t, uint32_t depth)
{
	uint64_t number = t->pushed[depth];

	if (!number)
		return;
	pop(tool, t, depth);
	record_calls_drop(tool, number);
}

static bool push_anew(struct record_tool *tool, struct record_thread *t, uint32_t depth)
{
	let_go(tool, t, depth);
	return push(tool, t, depth);
}

/* The ring was another thread's, which has ended. */
static void succeed(struct record_tool *tool, struct record_thread *t)
{
	uint32_t me = atomic_load_explicit(&producer.ring->tid, memory_order_relaxed);

	if (t->owner == me)
		return;
	for (uint32_t depth = 0; depth <= RECORD_DEPTH; depth++)
		if (t->pushed[depth])
			record_calls_drop(tool, t->pushed[depth]);
	if (t->depth)
		atomic_fetch_sub(&tool->lane[my_lane(tool)].inside, 1);
	*t = (struct record_thread){ .owner = me, .start = tool->starts };
}

/* What was pushed before this window has the work of what was not told in between. */
static void follow(struct record_tool *tool, struct record_thread *t)
{
	succeed(tool, t);
	if (t->depth || t->start == tool->starts)
		return;
	for (uint32_t depth = RECORD_DEPTH + 1; depth-- > 0;)
		let_go(tool, t, depth);
	t->start = tool->starts;
}

/* The work of one that has others inside is theirs: under its own number there is nothing that was given before. */
static uint64_t begin(struct record_tool *tool, struct record_thread *t, uint32_t depth, enum record_work work)
{
	bool has_others = work & (RECORD_OPERATOR | RECORD_COLLECTIVE);
	uint64_t outer = depth ? t->pushed[depth - 1] : 0;

	if (depth >= RECORD_DEPTH)
		return 0;
	if ((!t->pushed[depth] || has_others) && !push_anew(tool, t, depth))
		return 0;
	record_calls_begin(tool, t->pushed[depth], outer, work);
	if (tool->ahead && has_others)
		push(tool, t, depth + 1);
	return t->pushed[depth];
}

uint64_t record_tool_begin(struct record_tool *tool, enum record_work work)
{
	uint32_t was = question_in(); /* a signal's handler that calls the vendor meanwhile passes us by */
	struct record_thread *t = mine(tool);
	uint64_t number = 0;
	uint32_t depth;

	follow(tool, t);
	depth = t->depth;
	if (enter(tool, t) && work & tool->tells)
		number = begin(tool, t, depth, work);
	question_out(was);
	return number;
}

static void end_told(struct record_tool *tool, struct record_thread *t, uint32_t depth, uint64_t number)
{
	bool others = tool->lanes == 1 && atomic_load(&tool->lane[0].contested) != t->contested;

	let_go(tool, t, depth + 1);
	others |= !pop(tool, t, depth);
	record_calls_end(tool, number, others);
}

void record_tool_end(struct record_tool *tool, uint64_t number)
{
	uint32_t was = question_in();
	struct record_thread *t = mine(tool);
	uint32_t depth = t->depth - 1;

	if (number)
		end_told(tool, t, depth, number);
	if (tool->ahead && depth < RECORD_DEPTH && t->start == tool->starts)
		push_anew(tool, t, depth);
	leave(tool, t);
	question_out(was);
}

static bool is_between(struct record_tool *tool)
{
	if (!is_running(tool) || !producer.ring)
		return false;
	follow(tool, mine(tool));
	return !mine(tool)->depth;
}

void record_tool_pass(struct record_tool *tool)
{
	uint32_t was = question_in();

	if (is_between(tool))
		let_go(tool, mine(tool), 0);
	question_out(was);
}

void record_tool_passed(struct record_tool *tool)
{
	uint32_t was = question_in();

	if (is_between(tool))
		push_anew(tool, mine(tool), 0);
	question_out(was);
}

void record_tool_keep(struct record_tool *tool, uint64_t number, const struct call *c, void *stream)
{
	uint32_t node = is_running(tool) ? device_times_take() : 0; /* else it was stopped meanwhile */

	if (node) {
		timing_note(timing_at(node), c);
		timing_at(node)->what = stream;
		timing_at(node)->window = doorbell_await_time();
		record_calls_keep(tool, number, node, false);
		if (is_running(tool) || !record_calls_unkeep(tool, number)) /* in this very moment: nobody may come */
			return;
		doorbell_times_came(timing_at(node)->window, 1);
		device_times_give(node);
	}
	device_times_missed();
	record_calls_drop(tool, number);
}

bool record_tool_share(struct record_tool *tool, uint64_t number, uint32_t node)
{
	record_calls_keep(tool, number, node, true);
	if (is_running(tool) || !record_calls_unkeep(tool, number))
		return true;
	record_calls_drop(tool, number);
	return false;
}

/* ---- reading ---- */

static void ask(struct record_tool *tool, bool all)
{
	uint32_t was = question_in();

	tool->flush(all);
	question_out(was);
}

static void stop(struct record_tool *tool)
{
	uint32_t was = question_in();

	if (tool->end)
		tool->end();
	question_out(was);
	atomic_store(&tool->running, false);
	atomic_fetch_sub(&doorbell.held, 1);
	doorbell_ring();
}

static void read_records(struct record_tool *tool, bool all)
{
	uint32_t was = question_in();

	records_read(&tool->records, tool->vendor.next, tool->take);
	question_out(was);
	record_calls_collect(tool, all);
}

/* False: it does not run, or another thread is at it. */
static bool harvest(struct record_tool *tool, bool all)
{
	struct slow_path guard;

	if (!is_running(tool) || atomic_flag_test_and_set(&tool->busy))
		return false;
	guard = slow_path_begin();
	ask(tool, all);
	read_records(tool, all);
	if (all) {
		stop(tool);
		record_calls_collect(tool, true); /* what was kept meanwhile */
	}
	slow_path_end(guard);
	atomic_flag_clear(&tool->busy);
	return true;
}

void record_tool_harvest(struct record_tool *tool)
{
	bool behind = !((uint32_t)gate_load() & GATE_WINDOW);

	if (harvest(tool, behind) && behind) /* the next window may have begun meanwhile: it is to be decided */
		__atomic_store_n(&tool->window, NO_WINDOW, __ATOMIC_RELAXED);
}

/* Another thread may be reading: that does not take long. */
void record_tool_stop(struct record_tool *tool)
{
	for (int patience = 1000; is_running(tool) && !harvest(tool, true) && patience > 0; patience--)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}
