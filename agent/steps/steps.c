#include "agent/steps/steps.h"
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/flush/flush.h"
#include "agent/format/event.h"
#include "agent/os/clock.h"
#include "agent/os/signal_context.h"
#include "agent/os/slow_path.h"
#include "agent/record/doorbell.h"
#include "agent/record/gate.h"
#include "agent/record/producer.h"
#include "agent/session/definitions.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/place.h"
#include "agent/steps/selected.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/wanted.h"
#include "agent/steps/window.h"
#include "config/option_words.h"

static _Atomic int64_t step = STEP_NULL; /* current one */
static bool provisional;		 /* step 1 only if a source that ends steps fires first */
static uint32_t epoch;			 /* runs on in forked children: stale TLS never looks current */
static uint64_t epoch_begin;
static _Atomic bool no_more;
static _Atomic int64_t quiet_to = STEP_NULL; /* steps up to this one are counted, and that is all */
static int64_t round_first;		     /* what it said first, or since a round began */
static uintptr_t said_by;		     /* by which thread */
static int64_t said;			     /* by the program, in its last ranktrace_step() */
static _Atomic int64_t offset;		     /* step less that number: see begin_round(); */
static int64_t epoch_offset;		     /* when the epoch began */
static uint64_t epoch_flags;
static uint64_t recorded;	 /* whole steps */
static char told[128];		 /* the facts, as they were told last, */
static int64_t told_to;		 /* and up to which step they call the first ones provisional */
static struct step_end latest;	 /* what the source said last */
static _Atomic uintptr_t holder; /* of the lock: own_thread() of it, or 0 */

static uintptr_t own_thread(void)
{
	return (uintptr_t)&producer;
}

/* ---- the gate ---- */

static uint32_t groups_recorded(void)
{
	uint32_t groups = 0;

#define GROUP(symbol, level_of, memory)                                                    \
	if (level_of <= settings.level && (!memory || settings.contents & CONTENT_MEMORY)) \
		groups |= BIT(GROUP_##symbol);
	KIND_GROUPS(GROUP)
#undef GROUP
	return groups;
}

/* By their number among those recorded, so that all ranks that record the same steps time the same. */
static uint32_t times_taken(void)
{
	return settings.contents & CONTENT_DEVICE && recorded % settings.device_every == 0 ? GATE_TIMES : 0;
}

static void set_gate(void)
{
	uint32_t word = GATE_STARTED;

	if (!no_more || window_is_open())
		word |= GATE_TRACK | step_clock_gate();
	if (word & GATE_TRACK && settings.contents & CONTENT_SHAPES && settings.level >= LEVEL_0)
		word |= GATE_SHAPES;
	if (window_is_open())
		word |= GATE_WINDOW | groups_recorded() | times_taken();
	if (settings.contents & CONTENT_DEVICE && (window_is_open() || doorbell_awaits_times()))
		word |= GATE_HARVEST;
	/* Release: whoever sees the epoch also sees its definition. */
	atomic_store_explicit(&gate.word, (uint64_t)epoch << 32 | word, memory_order_release);
}

static struct slow_path guard; /* of the lock's holder */

/* Step n begins: if that starts the flush thread it takes memory, and a signal handler may have interrupted malloc. */
static bool may_begin(int64_t n)
{
	bool starts = !no_more && !flush_running() && (selected_has(n) || selected_has(n + 1));

	return !starts || !signal_context_running();
}

static int64_t next_step(void)
{
	return step == STEP_NULL ? 1 : step + 1;
}

bool steps_may_change(void)
{
	return may_begin(next_step());
}

/*
 * Bounded: a boundary that cannot be had is worth less than the program's time. A signal handler on top of the holder does not wait
 * for it at all.
 */
static bool lock(void)
{
	struct slow_path mine = slow_path_begin();

	for (int i = 0; i < 10000; i++) {
		uintptr_t other = 0;

		if (atomic_compare_exchange_strong_explicit(&holder, &other, own_thread(), memory_order_acquire, memory_order_relaxed)) {
			guard = mine;
			return true;
		}
		if (other == own_thread())
			break;
		if (i > 100)
			sched_yield();
	}
	slow_path_end(mine);
	return false;
}

static void unlock(void)
{
	struct slow_path mine = guard;

	atomic_store_explicit(&holder, 0, memory_order_release);
	slow_path_end(mine);
}

/* ---- epochs and windows; all under the lock ---- */

static void define_epoch(uint64_t end)
{
	struct def_epoch e = {
		.step = provisional ? STEP_NULL : step, .begin = epoch_begin, .end = end, .offset = epoch_offset, .flags = epoch_flags
	};
	size_t size = e.flags ? sizeof(e) : e.offset ? offsetof(struct def_epoch, flags)
						     : offsetof(struct def_epoch, offset);

	definitions_add(DEF_EPOCH, epoch, &e, size, NULL, 0);
	if (!end)
		place_define(epoch, window_number(), e.step);
}

static void tell_facts(const struct step_end *end)
{
	if (!window_is_open() || !end->facts || text_equal(end->facts, told))
		return;
	text_copy(told, sizeof(told), end->facts);
	told_to = end->provisional_to;
	definitions_text(DEF_IDENTITY, 0, end->facts);
}

/* Of a source that is unsure there may be one more, see tell_later(). */
static void end_if_no_more(void)
{
	if (no_more && !window_is_open() && !latest.unsure)
		flush_no_more();
}

static void tell_step(int64_t n)
{
	atomic_fetch_add(&session->boundaries, 1);
	atomic_store(&session->last_step, n);
}

/* Before the first window, but for the step in which the flush thread is made ready. Behind one there may be something to be told. */
static int64_t quiet_end(int64_t n)
{
	return window_first() != STEP_NULL || no_more ? STEP_NULL : selected_next(n) - 2;
}

/* A new epoch has begun, behind this one. */
static void move_window(uint32_t before)
{
	if (window_is_open() && !window_is_it(step))
		window_close(before, "window");
	if (!no_more && !window_is_open() && window_is_wanted(step) && window_rank_is_possible())
		window_open(step);
	if (!window_is_open())
		return;
	define_epoch(0);
	flush_step(epoch);
}

/* Inside steps a window may open as long as a selected step goes on, or a stage that began in one. */
static bool is_exhausted(void)
{
	if (selected_all() || selected_next(step) != INT64_MAX)
		return false;
	return !wanted_inside_steps() || !(selected_has(step) || place_is_in_selected());
}

static void change_step(int64_t n, uint64_t flags)
{
	uint32_t before = epoch;
	uint64_t now = clock_ticks();

	if (window_is_open())
		define_epoch(now);
	recorded += window_is_open() && step != STEP_NULL && !provisional;
	provisional = false;
	step = n;
	selected_meet(n);
	tell_step(n);
	epoch_offset = atomic_load(&offset);
	epoch_flags = flags;
	epoch++;
	epoch_begin = now;
	atomic_store(&session->epoch, epoch);
	no_more = !window_rank_is_possible() || no_more;
	window_tell_of_rank();
	if (window_is_open())
		flush_verdict(window_verdict());
	if (window_is_open() && no_more)
		window_close(before, "window");
	move_window(before);
	if (is_exhausted())
		no_more = true;
	else if (!window_is_open() && (selected_has(n + 1) || (wanted_inside_steps() && selected_has(n))))
		flush_prepare();
	quiet_to = quiet_end(n);
	set_gate();
	end_if_no_more();
}

/* The step goes on in another place. Outside of windows nobody asks where. */
static void change_place(uint64_t now)
{
	uint32_t before = epoch;

	if (!window_is_open() && (no_more || !window_is_wanted(step)))
		return;
	if (window_is_open())
		define_epoch(now);
	epoch++;
	epoch_begin = now;
	atomic_store(&session->epoch, epoch);
	move_window(before);
	set_gate();
}

/* Where that may open the first window it takes memory, see may_begin(). */
static bool may_change_place(void)
{
	return !wanted_inside_steps() || flush_running() || !signal_context_running();
}

/* Steps have turned out to be provisional when their window was closed already: one more file says so. */
static void tell_later(const char *reason)
{
	int64_t first = window_first();

	if (window_is_open() || wanted_inside_steps() || first == STEP_NULL || told_to >= first || latest.provisional_to < first)
		return;
	window_again();
	tell_facts(&latest);
	window_close(epoch, reason);
}

static void tell(void)
{
	tell_facts(&latest);
	if (!latest.unsure)
		tell_later("window");
	end_if_no_more();
}

static void end_step(unsigned int source, const struct step_end *end)
{
	epoch_flags = end->provisional ? EPOCH_PROVISIONAL : 0;
	tell_facts(end);
	if (provisional && step_clock_spec(source)->ends)
		provisional = false;
	else if (provisional)
		step = STEP_NULL; /* what begins steps knows of none before its first */
	change_step(next_step(), end->next_provisional ? EPOCH_PROVISIONAL : 0);
}

/* What nearly all steps are is done without the lock, in a few cache lines: a trainer that has just used them all pays for each. */
static bool end_quiet_step(unsigned int source)
{
	int64_t n = step;

	if (!step_clock_is(source))
		return false;
	while (n < atomic_load(&quiet_to))
		if (atomic_compare_exchange_weak(&step, &n, n + 1)) {
			tell_step(n + 1);
			return true;
		}
	return false;
}

void steps_end(unsigned int source, const struct step_end *end)
{
	if (end_quiet_step(source) || !steps_may_change() || !lock())
		return;
	if (step_clock_fire(source)) {
		latest = *end;
		if (!no_more || window_is_open())
			end_step(source, end);
		tell();
	}
	unlock();
}

void steps_learned(unsigned int source, const struct step_end *end)
{
	if (signal_context_running() || !step_clock_has_fired() || !lock())
		return;
	if (step_clock_fire(source)) {
		latest = *end;
		tell();
	}
	unlock();
}

void steps_count(unsigned int source)
{
	steps_end(source, &(struct step_end){ .facts = NULL });
}

void steps_claim(unsigned int source)
{
	if (step_clock_has_fired() || !lock())
		return;
	step_clock_claim(source);
	set_gate();
	unlock();
}

/*
 * Several threads may tell the steps, and one of them be late. Is it that, and no round? Steps behind the first of this round
 * are, and those just told.
 */
static bool is_late(int64_t n)
{
	return said_by != own_thread() && (n > round_first || (uint64_t)said - (uint64_t)n <= 2);
}

/* n is lower than what the program said before: its steps count on from here, so that none is met twice. */
static bool begin_round(int64_t n)
{
	int64_t next, behind;

	if (settings.step_back == STEP_BACK_IGNORE || is_late(n) || __builtin_add_overflow(step, 1, &next) ||
	    __builtin_sub_overflow(next, n, &behind)) {
		log_once("step-order", "ranktrace_step(%lld) after ranktrace_step(%lld) is ignored", (long long)n, (long long)said);
		return false;
	}
	log_once("step-order", "ranktrace_step(%lld) after ranktrace_step(%lld) begins another round: its steps count on from %lld "
			       "(--step-back ignore: such calls are ignored)",
		 (long long)n, (long long)said, (long long)next);
	atomic_store(&offset, behind);
	round_first = n;
	return true;
}

/* Does the program's step n begin? */
static bool is_another(int64_t n)
{
	if (provisional || step == STEP_NULL) {
		round_first = n;
		return true;
	}
	if (n == said)
		log_once("step-again", "ranktrace_step(%lld) again changes nothing: it is the same step", (long long)n);
	return n > said || (n < said && begin_round(n));
}

/* Wraps around: who calls his steps by numbers beyond 2^62 has none of them selected. */
static int64_t number_of(int64_t n)
{
	return (int64_t)((uint64_t)n + (uint64_t)atomic_load(&offset));
}

void steps_begin(unsigned int source, int64_t n)
{
	if (!may_begin(number_of(n)) || !lock())
		return;
	if (step_clock_fire(source) && is_another(n)) {
		said = n;
		said_by = own_thread();
		change_step(number_of(n), 0);
	}
	unlock();
}

/* ---- places in a step ---- */

uint64_t steps_stage_begin(const char *role, uintptr_t context)
{
	uint64_t token = 0, now;

	if (!may_change_place() || !lock())
		return 0;
	now = clock_ticks();
	if (!no_more || window_is_open())
		token = place_enter(role, context ? context : (uintptr_t)syscall(SYS_gettid), step, now);
	if (token && window_rank_is_possible() && window_is_open())
		flush_verdict(window_verdict());
	if (token)
		change_place(now);
	unlock();
	return token;
}

void steps_stage_end(uint64_t token)
{
	uint64_t now;

	if (!token || !may_change_place() || !lock())
		return;
	now = clock_ticks();
	if (place_leave(token, window_number(), now)) {
		change_place(now);
		no_more |= step != STEP_NULL && is_exhausted();
		end_if_no_more();
	}
	unlock();
}

void steps_count_place(enum place_counter counter, bool begins)
{
	if (!may_change_place() || !lock())
		return;
	(begins ? place_begin : place_end)(counter, step);
	change_place(clock_ticks());
	unlock();
}

void steps_start(void)
{
	bool some_end, all_end;

	selected_start();
	step_sources_read();
	step_clock_which_end(&some_end, &all_end);
	epoch++;
	epoch_begin = clock_ticks();
	step = some_end ? 1 : STEP_NULL; /* what ends steps counts the time before it as step 1 */
	provisional = some_end && !all_end;
	atomic_store(&session->epoch, epoch);
	if (window_verdict() == VERDICT_DISCARD) {
		session_cause(CAUSE_NOT_SELECTED, 0);
		no_more = true;
	} else if (!settings.steps.all && !settings.steps.count) {
		session_cause(CAUSE_NO_STEPS, 0);
		no_more = true;
	} else if (window_is_wanted(step)) {
		window_open(step);
		define_epoch(0);
	} else if (selected_has(step) || (step != STEP_NULL && selected_has(step + 1))) {
		flush_prepare();
	}
	if (!no_more)
		step_sources_start();
	set_gate();
}

/*
 * Of a list without an end (5-) there is always more to come: it is complete once its last range has begun. So is a schedule
 * that repeats without end, once it has been active.
 */
static bool is_reached(void)
{
	const struct selection *s = &settings.steps;
	int64_t last = atomic_load(&session->last_step);

	if (wanted_inside_steps() && last != STEP_NULL && selected_next(last) == INT64_MAX)
		return true; /* the last one goes on, as there may be more in it */
	if (settings.schedule.given && settings.schedule.counter == SCHEDULE_STEP)
		return !settings.schedule.repeat && window_first() != STEP_NULL && selection_after(s, last);
	return s->count && s->range[s->count - 1].last == INT64_MAX && last != STEP_NULL && last >= s->range[s->count - 1].first;
}

/* Of a clock that never ran, or stopped short. Of a step source that was left to us, only what the user may want to know. */
static void say_why(void)
{
	bool listed = !selected_all();
	enum session_cause cause = listed && !is_reached() ? CAUSE_NOT_REACHED : CAUSE_NONE;

	if (!step_clock_has_fired())
		cause = step_sources_why(listed);
	if (cause != CAUSE_NONE)
		session_cause(cause, 0);
}

void steps_stop(void)
{
	if (!lock())
		return;
	no_more = !window_rank_is_possible() || no_more; /* it may have become known since the last step that was more than counted */
	if (!no_more)
		say_why(); /* before the flush thread may write the file's totals */
	if (wanted_inside_steps() && !atomic_load(&session->windows))
		session_cause(CAUSE_NOT_ENTERED, 0);
	if (window_is_open()) {
		flush_verdict(window_verdict());
		define_epoch(clock_ticks());
		window_close(epoch, "exit");
	}
	tell_later("exit");
	no_more = true;
	set_gate();
	unlock();
}

void steps_forget(void)
{
	atomic_store(&holder, 0);
	window_forget();
	selected_forget();
	place_forget();
	step_sources_forget();
	no_more = false;
	atomic_store(&offset, 0);
	epoch_offset = 0;
	epoch_flags = 0;
	recorded = 0;
	quiet_to = STEP_NULL;
	told[0] = '\0';
	told_to = 0;
	latest = (struct step_end){ .facts = NULL };
}
