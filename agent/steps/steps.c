#include "agent/steps/steps.h"
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/flush/flush.h"
#include "agent/format/event.h"
#include "agent/os/clock.h"
#include "agent/os/signal_context.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/epochs.h"
#include "agent/steps/place.h"
#include "agent/steps/python_optimizers.h"
#include "agent/steps/python_shim.h"
#include "agent/steps/python_watches.h"
#include "agent/steps/roles.h"
#include "agent/steps/rounds.h"
#include "agent/steps/selected.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps_gate.h"
#include "agent/steps/steps_lock.h"
#include "agent/steps/steps_why.h"
#include "agent/steps/wanted.h"
#include "agent/steps/window.h"

static _Atomic int64_t step = STEP_NULL; /* current one */
static bool provisional;		 /* step 1 only if a source that ends steps fires first */
static _Atomic bool no_more;
static _Atomic int64_t quiet_to = STEP_NULL; /* steps up to this one are counted, and that is all */
static bool met_selected;		     /* a step that is selected has begun */
static uint64_t recorded;		     /* whole steps */
static char told[128];			     /* the facts, as they were told last, */
static int64_t told_to;			     /* and up to which step they call the first ones provisional */
static struct step_end latest;		     /* what the source said last */

static void set_gate(void)
{
	steps_gate_set(epochs_number(), no_more, recorded);
}

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

bool steps_may_move_window(int64_t n)
{
	int64_t next = n == STEP_NULL ? next_step() : rounds_step(n);

	if (roles_inside_steps())
		return window_is_open() || selected_has(step) || selected_has(next);
	return window_is_open() ? !window_has(next) : selected_has(next);
}

/* ---- epochs and windows; all under the lock ---- */

static void define_epoch(uint64_t end)
{
	int64_t known = provisional ? STEP_NULL : step;

	epochs_define(known, end);
	if (!end)
		place_define(epochs_number(), window_number(), known);
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
static void move_window(const struct wanted *wanted, uint32_t before)
{
	if (window_is_open() && !window_is(wanted))
		window_close(before, "window");
	if (!no_more && !window_is_open() && wanted->any && window_rank_is_possible())
		window_open(wanted, step);
	if (!window_is_open())
		return;
	window_go_on(wanted);
	define_epoch(0);
	flush_step(epochs_number());
}

/* Inside steps a window may open as long as a selected step goes on, or a stage that began in one. */
static bool is_exhausted(void)
{
	if (settings.steps.none || selected_all() || selected_next(step) != INT64_MAX)
		return false;
	return !roles_inside_steps() || !(selected_has(step) || place_is_in_selected());
}

/* Is nobody of this process to be recorded, whatever comes? */
static bool is_nobodys(void)
{
	enum session_cause cause;

	if (!window_rank_is_possible())
		return true;
	cause = roles_impossible();
	if (cause != CAUSE_NONE)
		session_cause(cause, 0);
	return cause != CAUSE_NONE;
}

static void change_step(int64_t n, uint64_t flags)
{
	uint32_t before = epochs_number();
	uint64_t now = clock_ticks();
	struct wanted wanted;

	if (window_is_open())
		define_epoch(now);
	place_leave_implied(now);
	recorded += window_is_open() && step != STEP_NULL && !provisional;
	provisional = false;
	step = n;
	selected_meet(n);
	met_selected |= selected_has(n);
	tell_step(n);
	epochs_begin_step(now, flags, rounds_offset());
	no_more = is_nobodys() || no_more;
	window_tell_of_rank();
	if (window_is_open())
		flush_verdict(window_verdict());
	if (window_is_open() && no_more)
		window_close(before, "window");
	wanted = wanted_at(step);
	move_window(&wanted, before);
	if (is_exhausted() && !met_selected)
		session_cause(CAUSE_PASSED, 0);
	if (is_exhausted())
		no_more = true;
	else if (!window_is_open() && (selected_has(n + 1) || (roles_inside_steps() && selected_has(n))))
		flush_prepare();
	quiet_to = quiet_end(n);
	set_gate();
	end_if_no_more();
}

/* The step goes on in another place. Outside of windows nobody asks where. */
static void change_place(uint64_t now)
{
	struct wanted wanted = wanted_at(step);
	uint32_t before = epochs_number();

	if (!window_is_open() && (no_more || !wanted.any))
		return;
	if (window_is_open())
		define_epoch(now);
	epochs_begin(now);
	move_window(&wanted, before);
	set_gate();
}

/* Where that may open the first window it takes memory, see may_begin(). */
static bool may_change_place(void)
{
	return !roles_inside_steps() || flush_running() || !signal_context_running();
}

/* Steps have turned out to be provisional when their window was closed already: one more file says so. */
static void tell_later(const char *reason)
{
	int64_t first = window_first();

	if (window_is_open() || roles_inside_steps() || first == STEP_NULL || told_to >= first || latest.provisional_to < first)
		return;
	window_again();
	tell_facts(&latest);
	window_close(epochs_number(), reason);
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
	epochs_set_flags(end->provisional ? EPOCH_PROVISIONAL : 0);
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

	if (!step_clock_is(source) || place_is_implied())
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
	if (end_quiet_step(source) || !steps_may_change() || !steps_lock())
		return;
	if (step_clock_fire(source)) {
		latest = *end;
		if (!no_more || window_is_open())
			end_step(source, end);
		tell();
	}
	steps_unlock();
}

void steps_learned(unsigned int source, const struct step_end *end)
{
	if (signal_context_running() || !step_clock_has_fired() || !steps_lock())
		return;
	if (step_clock_fire(source)) {
		latest = *end;
		tell();
	}
	steps_unlock();
}

void steps_count(unsigned int source)
{
	steps_end(source, &(struct step_end){ .facts = NULL });
}

void steps_claim(unsigned int source)
{
	if (step_clock_has_fired() || !steps_lock())
		return;
	step_clock_claim(source);
	set_gate();
	steps_unlock();
}

/* A function that is watched may well be called twice in a step. */
void steps_begin(unsigned int source, int64_t n)
{
	bool by_api = step_clock_spec(source)->kind == STEP_SOURCE_api;

	if (!may_begin(rounds_step(n)) || !steps_lock())
		return;
	if (step_clock_fire(source) && rounds_begin(n, provisional ? STEP_NULL : step, by_api))
		change_step(rounds_step(n), 0);
	steps_unlock();
}

/* ---- places in a step ---- */

static void stage_began(const char *role, uint64_t now)
{
	if (window_rank_is_possible() && window_is_open())
		flush_verdict(window_verdict());
	roles_meet(role);
	change_place(now);
}

uint64_t steps_stage_begin(const char *role, uintptr_t context)
{
	uint64_t token = 0, now;

	if (!may_change_place() || !steps_lock())
		return 0;
	now = clock_ticks();
	if (!no_more || window_is_open())
		token = place_enter(role, context ? context : (uintptr_t)syscall(SYS_gettid), step, now);
	if (token)
		stage_began(role, now);
	steps_unlock();
	return token;
}

void steps_stage_end(uint64_t token)
{
	uint64_t now;

	if (!token || !may_change_place() || !steps_lock())
		return;
	now = clock_ticks();
	if (place_leave(token, now)) {
		change_place(now);
		no_more |= step != STEP_NULL && is_exhausted();
		end_if_no_more();
	}
	steps_unlock();
}

void steps_batch(const struct batch_told *batch)
{
	uint64_t now;

	if (!may_change_place() || !steps_lock())
		return;
	now = clock_ticks();
	if ((!no_more || window_is_open()) && place_imply(batch->stage, step, now))
		stage_began(batch->stage, now);
	if (place_take(batch, step))
		change_place(now);
	steps_unlock();
}

/* Other processes may wait for this one's numbers, whether it records or not. */
static void start_sources(void)
{
	if (!no_more) {
		step_sources_start();
		watches_read_places();
	}
	watches_read_numbers();
	watches_note();
	if (optimizers_watched() || watches_any())
		shim_ask();
}

void steps_start(void)
{
	bool some_end, all_end;
	struct wanted wanted;

	roles_start();
	step_sources_read();
	step_clock_which_end(&some_end, &all_end);
	epochs_begin(clock_ticks());
	step = some_end ? 1 : STEP_NULL; /* what ends steps counts the time before it as step 1 */
	provisional = some_end && !all_end;
	met_selected = step != STEP_NULL && selected_has(step);
	wanted = wanted_at(step);
	if (window_verdict() == VERDICT_DISCARD) {
		session_cause(CAUSE_NOT_SELECTED, 0);
		no_more = true;
	} else if (roles_impossible() != CAUSE_NONE) {
		session_cause(roles_impossible(), 0);
		no_more = true;
	} else if (!settings.steps.all && !settings.steps.count) {
		session_cause(CAUSE_NO_STEPS, 0);
		no_more = !settings.steps.none; /* that still hears what is told of steps and stages */
	} else if (wanted.any) {
		window_open(&wanted, step);
		define_epoch(0);
	} else if (selected_has(step) || (step != STEP_NULL && selected_has(step + 1))) {
		flush_prepare();
	}
	start_sources();
	set_gate();
}

void steps_stop(void)
{
	if (!steps_lock())
		return;
	no_more = is_nobodys() || no_more; /* it may have become known since the last step that was more than counted */
	if (!no_more && !settings.steps.none)
		steps_why_short(); /* before the flush thread may write the file's totals */
	if (roles_inside_steps() && !atomic_load(&session->windows))
		session_cause(roles_why() == CAUSE_NONE ? CAUSE_NOT_ENTERED : roles_why(), 0);
	if (window_is_open()) {
		flush_verdict(window_verdict());
		define_epoch(clock_ticks());
		window_close(epochs_number(), "exit");
	}
	tell_later("exit");
	no_more = true;
	set_gate();
	steps_unlock();
}

void steps_forget(void)
{
	steps_lock_forget();
	rounds_forget();
	epochs_forget();
	window_forget();
	selected_forget();
	place_forget();
	roles_forget();
	step_sources_forget();
	no_more = met_selected = false;
	recorded = 0;
	quiet_to = STEP_NULL;
	told[0] = '\0';
	told_to = 0;
	latest = (struct step_end){ .facts = NULL };
}
