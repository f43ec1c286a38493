#include "agent/steps/steps.h"
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/flush/flush.h"
#include "agent/format/trace_file.h"
#include "agent/os/clock.h"
#include "agent/os/signal_context.h"
#include "agent/record/gate.h"
#include "agent/session/definitions.h"
#include "agent/session/identity.h"
#include "agent/session/session.h"
#include "agent/session/log.h"
#include "agent/session/settings.h"
#include "agent/stacks/stacks.h"
#include "agent/steps/epochs.h"
#include "agent/steps/progress.h"
#include "agent/steps/python_calls.h"
#include "agent/steps/python_optimizers.h"
#include "agent/steps/python_shim.h"
#include "agent/steps/python_stacks.h"
#include "agent/steps/python_watches.h"
#include "agent/steps/requests.h"
#include "agent/steps/roles.h"
#include "agent/steps/rounds.h"
#include "agent/steps/selected.h"
#include "agent/steps/source_marker.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps_gate.h"
#include "agent/steps/steps_lock.h"
#include "agent/steps/steps_why.h"
#include "agent/steps/window.h"

static char told[128];	       /* the facts, as they were told last, */
static int64_t told_to;	       /* and up to which step they call the first ones provisional */
static struct step_end latest; /* what the source said last */

/* ---- what is asked by hand ---- */

/* A boundary that opens a window may take memory, and a signal handler may have interrupted malloc: the next one looks again. */
static NOINLINE void hear(void)
{
	if (signal_context_running() || !steps_lock())
		return;
	progress_hear();
	steps_unlock();
}

/* At each boundary, before it moves anything. */
static void look(void)
{
	if (requests_wait() && (gate_load() || gate_listens())) /* else, in a forked child, they are its parent's */
		hear();
}

/* For what moves a step or a place in it. */
static bool lock_to_move(void)
{
	bool had = steps_lock();

	if (!had)
		session_beyond(LIMIT_missed_boundaries, 1);
	return had;
}

bool steps_step_may_move(int64_t n)
{
	look();
	return progress_step_may_move(n);
}

bool steps_stage_may_move(void)
{
	look();
	return progress_stage_may_move();
}

bool steps_may_change(void)
{
	return progress_may_begin(progress_next_step());
}

/* ---- facts that a source tells ---- */

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
	if (progress_is_over() && !latest.unsure)
		flush_no_more();
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

/* ---- steps ---- */

static void end_step(unsigned int source, const struct step_end *end)
{
	epochs_set_flags(end->provisional ? EPOCH_PROVISIONAL : 0);
	tell_facts(end);
	progress_settle(step_clock_spec(source)->ends);
	progress_to_step(progress_next_step(), end->next_provisional ? EPOCH_PROVISIONAL : 0);
	end_if_no_more();
}

void steps_end(unsigned int source, const struct step_end *end)
{
	look();
	if ((step_clock_is(source) && progress_count()) || !steps_may_change() || !lock_to_move())
		return;
	if (step_clock_fire(source)) {
		latest = *end;
		if (!progress_is_over())
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
	progress_set_gate();
	steps_unlock();
}

/* A function that is watched may well be called twice in a step. */
void steps_begin(unsigned int source, int64_t n)
{
	bool by_api = step_clock_spec(source)->kind == STEP_SOURCE_api;

	look();
	if (!progress_may_begin(rounds_step(n)) || !lock_to_move())
		return;
	if (step_clock_fire(source) && rounds_begin(n, progress_step(), by_api)) {
		progress_to_step(rounds_step(n), 0);
		end_if_no_more();
	}
	steps_unlock();
}

void steps_loaded(int64_t n)
{
	if (n <= 0 || !progress_may_begin(n + 1) || !steps_lock())
		return;
	if (!step_clock_has_fired())
		progress_loaded(n);
	steps_unlock();
}

/* ---- places in a step ---- */

uint64_t steps_stage_begin(const char *role, uintptr_t context)
{
	uint64_t token;

	look();
	if (!progress_may_change_place() || !lock_to_move())
		return 0;
	token = progress_enter(role, context ? context : (uintptr_t)syscall(SYS_gettid), clock_ticks());
	steps_unlock();
	return token;
}

/* In a forked child it may be what comes first: the stage is its parent's. */
void steps_stage_end(uint64_t token)
{
	if (!gate_load())
		return;
	look();
	if (!token || !progress_may_change_place() || !lock_to_move())
		return;
	progress_leave(token, clock_ticks());
	end_if_no_more();
	steps_unlock();
}

bool steps_batch_may_move(const struct batch_told *batch)
{
	bool may;

	if (!steps_stage_may_move() || !steps_lock())
		return false;
	may = progress_batch_may_move(batch);
	steps_unlock();
	return may;
}

void steps_batch(const struct batch_told *batch)
{
	look();
	if (!progress_may_change_place() || !lock_to_move())
		return;
	progress_take(batch, clock_ticks());
	steps_unlock();
}

/* ---- from the start to the end ---- */

/* Who tells of steps may be Python's ctypes. */
static bool waits_for_queue(void)
{
	return settings.empty_queue && step_clock_find(STEP_SOURCE_api) >= 0;
}

static void start_stacks(void)
{
	if (!stacks_start(settings.contents & CONTENT_STACK))
		log_once("unwinder", "libunwind.so.8 is not here (package libunwind8, or libunwind; stack_by: fp needs none): of stacks those of Python are recorded");
}

/* Other processes may wait for this one's numbers, whether it hears anything else or not. */
static void start_sources(bool heard)
{
	if (heard) {
		step_sources_start();
		watches_read_places();
		source_marker_read_stages();
	}
	watches_read_numbers();
	watches_note();
	if (python_stacks_wanted())
		start_stacks();
	if (optimizers_watched() || watches_any() || waits_for_queue() || python_stacks_wanted())
		shim_ask();
	if (shim_state() == SHIM_ASKED)
		stacks_python_asked();
}

void steps_start(bool listens)
{
	bool some_end, all_end;

	atomic_store(&gate.listens, listens);
	if (listens)
		atomic_store(&session->state, SESSION_LISTENS);
	roles_start();
	steps_gate_start();
	step_sources_read();
	watches_read_runs();
	step_clock_which_end(&some_end, &all_end);
	start_sources(progress_start(some_end, all_end));
	progress_set_gate();
}

void steps_wake(void)
{
	if (!steps_lock())
		return;
	progress_wake(clock_ticks());
	steps_unlock();
	calls_look_again();
}

void steps_rank_is_known(void)
{
	if (!steps_lock())
		return;
	window_decide();
	steps_unlock();
}

/* Before the flush thread may write the file's totals. */
static void tell_why(void)
{
	if (progress_may_go_on() && !settings.steps.none)
		steps_why_short();
	if (roles_inside_steps() && !atomic_load(&session->windows))
		session_cause(roles_why() == CAUSE_NONE ? CAUSE_NOT_ENTERED : roles_why(), 0);
}

void steps_stop(void)
{
	identity_settle();
	if (settings.steps.none && gate_listens() && watches_silent()) /* who only asks wants to know of names that are nowhere */
		steps_wake();
	if (!steps_lock())
		return;
	tell_why();
	progress_stop();
	tell_later("exit");
	progress_set_gate();
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
	progress_forget();
	requests_forget();
	told[0] = '\0';
	told_to = 0;
	latest = (struct step_end){ .facts = NULL };
}
