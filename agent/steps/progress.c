#include "agent/steps/progress.h"
#include <stdatomic.h>
#include "agent/flush/flush.h"
#include "agent/flush/windows.h"
#include "agent/format/trace_file.h"
#include "agent/os/clock.h"
#include "agent/os/signal_context.h"
#include "agent/record/doorbell.h"
#include "agent/record/gate.h"
#include "agent/session/identity.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/epochs.h"
#include "agent/steps/implied_stage.h"
#include "agent/steps/outlook.h"
#include "agent/steps/place.h"
#include "agent/steps/requests.h"
#include "agent/steps/roles.h"
#include "agent/steps/rounds.h"
#include "agent/steps/selected.h"
#include "agent/steps/steps_gate.h"
#include "agent/steps/wanted.h"
#include "agent/steps/window.h"

static _Atomic int64_t step = STEP_NULL;     /* current one */
static bool provisional;		     /* step 1 only if a source that ends steps fires first */
static _Atomic int64_t quiet_to = STEP_NULL; /* steps up to this one are counted, and that is all */
static _Atomic bool may_open;		     /* this step is selected, or a stage that goes on began in one that is */
static uint64_t recorded;		     /* steps, also in part */
static bool met_window;			     /* something of this step is recorded */

int64_t progress_step(void)
{
	return provisional ? STEP_NULL : step;
}

int64_t progress_next_step(void)
{
	return step == STEP_NULL ? atomic_load(&session->loaded) + 1 : step + 1;
}

bool progress_is_over(void)
{
	return outlook_is_none() && !window_is_open();
}

/* May a window open in this step or with the next one? */
static bool opens_soon(void)
{
	return !window_is_open() && step != STEP_NULL && (selected_has(step + 1) || (roles_inside_steps() && selected_has(step)));
}

void progress_set_gate(void)
{
	met_window |= window_is_open();
	steps_gate_set(epochs_number(), opens_soon(), outlook_is_none(), recorded);
}

/* In the window that is open, or else in the next one. */
static void put_mark(void)
{
	char text[ROLE_HEARD];

	if (window_is_open() && requests_take_mark(text))
		place_mark(text, step, clock_ticks());
}

void progress_hear(void)
{
	if (requests_take(progress_next_step()))
		quiet_to = STEP_NULL;
	put_mark();
}

/* ---- may it? ---- */

bool progress_may_begin(int64_t n)
{
	bool starts = !outlook_is_none() && !flush_running() && (selected_has(n) || selected_has(n + 1));

	return !starts || !signal_context_running();
}

bool progress_may_change_place(void)
{
	bool starts = ((roles_inside_steps() && atomic_load(&may_open)) || gate_listens()) && !flush_running();

	return !starts || !signal_context_running();
}

bool progress_step_may_move(int64_t n)
{
	int64_t next = n == STEP_NULL ? progress_next_step() : rounds_step(n);

	if (roles_inside_steps())
		return window_is_open() || selected_has(step) || selected_has(next);
	return window_is_open() ? !window_has(next) || !selected_has(next) : selected_has(next);
}

bool progress_stage_may_move(void)
{
	return roles_inside_steps() && (window_is_open() || selected_has(step) || place_is_in_selected());
}

bool progress_batch_may_move(const struct batch_told *batch)
{
	struct place_now now = place_now(step), then;
	struct wanted before, behind;

	if ((*batch->stage && !now.stage) || implied_changes(batch, step)) /* a stage may begin with it */
		return progress_stage_may_move();
	then = place_behind(batch, step);
	before = wanted_at(&now, step);
	behind = wanted_at(&then, step);
	return !wanted_same(&before, &behind);
}

/* ---- epochs and windows ---- */

static struct wanted wanted_here(void)
{
	struct place_now now = place_now(step);

	return wanted_at(&now, step);
}

static void define_epoch(uint64_t end)
{
	int64_t known = provisional ? STEP_NULL : step;

	epochs_define(known, end);
	if (end && provisional) {
		epochs_keep(end);
		atomic_store(&doorbell.unsure, true);
	}
	if (!end)
		place_define(epochs_number(), window_number(), step);
}

/* A new epoch has begun, behind this one. */
static void move_window(const struct wanted *wanted, uint32_t before)
{
	if (window_is_open() && !window_is(wanted))
		window_close(before, "window");
	if (!outlook_is_none() && !window_is_open() && wanted->any && !gate_listens() && window_rank_is_possible())
		window_open(wanted, step);
	if (!window_is_open())
		return;
	window_go_on(wanted);
	define_epoch(0);
	put_mark();
	flush_step(epochs_number());
}

/* ---- on ---- */

static void tell_step(int64_t n)
{
	atomic_fetch_add(&session->boundaries, 1);
	atomic_store(&session->last_step, n);
}

bool progress_count(void)
{
	int64_t n = step;

	while (!place_is_implied() && n < atomic_load(&quiet_to))
		if (atomic_compare_exchange_weak(&step, &n, n + 1)) {
			tell_step(n + 1);
			return true;
		}
	return false;
}

/* Files that waited for it can be written. */
static void be_sure(void)
{
	if (atomic_exchange(&doorbell.unsure, false))
		doorbell_ring();
}

void progress_settle(bool ends)
{
	if (provisional && !ends)
		step = STEP_NULL; /* what begins steps knows of none before its first */
	epochs_settle(provisional && ends ? step : STEP_NULL);
	provisional &= !ends;
	be_sure();
}

/* Before the first window, but for the step in which the flush thread is made ready. Behind one there may be something to be told. */
static int64_t quiet_end(int64_t n)
{
	return window_first() != STEP_NULL || outlook_is_none() ? STEP_NULL : selected_next(n) - 2;
}

static void prepare(void)
{
	if (!gate_listens() && opens_soon())
		flush_prepare();
}

static void to_step(int64_t n, uint64_t flags)
{
	uint32_t before = epochs_number();
	uint64_t now = clock_ticks();
	struct wanted wanted;

	if (window_is_open())
		define_epoch(now);
	place_leave_implied(now);
	recorded += met_window && step != STEP_NULL && !provisional;
	met_window = provisional = false;
	step = n;
	selected_meet(n);
	roles_meet_step(n);
	epochs_begin_step(now, flags, rounds_offset());
	identity_settle();
	outlook_look();
	if (!gate_listens())
		window_tell_of_rank();
	window_decide();
	if (window_is_open() && outlook_is_none())
		window_close(before, "window");
	wanted = wanted_here();
	move_window(&wanted, before);
	outlook_meet_step(n);
	if (!outlook_is_none())
		prepare();
	quiet_to = quiet_end(n);
	may_open = selected_has(n) || place_is_in_selected();
	progress_set_gate();
}

void progress_to_step(int64_t n, uint64_t flags)
{
	tell_step(n);
	to_step(n, flags);
	be_sure();
}

/* What ends steps is in one already: that is another one now. */
void progress_loaded(int64_t n)
{
	bool unsure = provisional;

	if (atomic_exchange(&session->loaded, n) == n || step == STEP_NULL)
		return;
	to_step(n + 1, unsure ? EPOCH_PROVISIONAL : 0);
	provisional = unsure;
}

/* Outside of windows nobody asks where. */
void progress_to_place(uint64_t now)
{
	struct wanted wanted = wanted_here();
	uint32_t before = epochs_number();

	window_decide();
	if (!window_is_open() && (outlook_is_none() || !wanted.any))
		return;
	if (window_is_open())
		define_epoch(now);
	epochs_begin(now);
	move_window(&wanted, before);
	progress_set_gate();
}

void progress_wake(uint64_t now)
{
	if (!gate_listens())
		return;
	atomic_store(&gate.listens, 0);
	atomic_store(&session->state, SESSION_DORMANT);
	outlook_look();
	progress_to_place(now);
	if (!outlook_is_none())
		prepare();
	progress_set_gate();
}

static void stage_began(const char *role, uint64_t now)
{
	if (window_verdict() == VERDICT_WRITE) /* of a process that listens, and need not have a rank, nobody is told else */
		progress_wake(now);
	window_rank_is_possible();
	roles_meet(role, step);
	progress_to_place(now);
}

uint64_t progress_enter(const char *role, uintptr_t context, uint64_t now)
{
	uint64_t token = progress_is_over() ? 0 : place_enter(role, context, step, now);

	if (token)
		stage_began(role, now);
	return token;
}

void progress_leave(uint64_t token, uint64_t now)
{
	if (!place_leave(token, now))
		return;
	progress_to_place(now);
	outlook_step_goes_on(step);
}

static void imply(const struct batch_told *batch, uint64_t now)
{
	struct phase phase;

	if (!*batch->stage)
		return;
	if (implied_changes(batch, step))
		place_leave_implied(now);
	phase = implied_by(batch, step);
	if (!progress_is_over() && place_imply(phase.role, phase.step, now))
		stage_began(phase.role, now);
}

void progress_take(const struct batch_told *batch, uint64_t now)
{
	imply(batch, now);
	if (place_take(batch, step))
		progress_to_place(now);
}

/* ---- from its start to its end ---- */

bool progress_start(bool some_end, bool all_end)
{
	struct wanted wanted;

	requests_start();
	epochs_begin(clock_ticks());
	step = some_end ? 1 : STEP_NULL; /* what ends steps counts the time before it as step 1 */
	provisional = some_end && !all_end;
	may_open = selected_has(step);
	wanted = wanted_here();
	outlook_start(step);
	if (outlook_is_none() || gate_listens())
		return !outlook_is_none();
	if (wanted.any) {
		window_open(&wanted, step);
		define_epoch(0);
	} else if (selected_has(step) || (step != STEP_NULL && selected_has(step + 1))) {
		flush_prepare();
	}
	return true;
}

bool progress_may_go_on(void)
{
	return outlook_could_be(step);
}

void progress_stop(void)
{
	outlook_end();
	window_decide();
	if (!window_is_open())
		return;
	define_epoch(clock_ticks());
	window_close(epochs_number(), "exit");
}

void progress_forget(void)
{
	outlook_forget();
	met_window = false;
	recorded = 0;
	quiet_to = STEP_NULL;
}
