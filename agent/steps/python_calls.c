#include "agent/steps/python_calls.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include "agent/format/trace_file.h"
#include "agent/record/gate.h"
#include "agent/session/identity.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/phases.h"
#include "agent/steps/progress.h"
#include "agent/steps/published.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/python_watches.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/steps.h"
#include "agent/steps/steps_lock.h"

/* ---- calls that are under way ---- */

/* By who makes them: one more of the same function that he makes in it is part of it. */
static struct call {
	_Atomic uint64_t key;
	uint32_t times; /* it has been another call */
	unsigned int depth;
	bool counts, waits;
	uint64_t stage;
} calls[256]; /* as many as a token's lowest byte tells apart */
#define CALLS (sizeof(calls) / sizeof(*calls))

static _Atomic unsigned int waiting; /* stages of coroutines among them */
static void *task_of;		     /* Python's: the current task as a number, or 0 */
static void *look_again;	     /* Python's, too: for functions that have come since, */
static void *look_for_subclasses;    /* and for subclasses alone */

static bool looked; /* for those who tell what an engine's batches are for, since the step began */

static _Atomic unsigned int used; /* so many of them, the first ones, have been one: the others are not looked at */

/* now: else with the first batch that it is asked for. */
static void look_for_phases(bool now)
{
	looked = now;
	if (now)
		phases_look();
}

static struct call *call_find(uint64_t key)
{
	unsigned int n = atomic_load_explicit(&used, memory_order_relaxed);

	for (unsigned int i = 0; i < n; i++)
		if (atomic_load_explicit(&calls[i].key, memory_order_relaxed) == key)
			return &calls[i];
	return NULL;
}

static void use(unsigned int n)
{
	unsigned int before = atomic_load_explicit(&used, memory_order_relaxed);

	while (before < n && !atomic_compare_exchange_weak(&used, &before, n))
		;
}

static struct call *call_new(uint64_t key)
{
	for (unsigned int i = 0; i < CALLS; i++) {
		uint64_t none = 0;

		if (atomic_compare_exchange_strong(&calls[i].key, &none, key)) {
			use(i + 1);
			return &calls[i];
		}
	}
	return NULL;
}

/* By Python's main thread. */
static int look_pending(void *unused)
{
	int saved = errno;

	(void)unused;
	python_call(look_again);
	errno = saved;
	return py.PyErr_Occurred() ? -1 : 0;
}

void calls_look_again(void)
{
	if (look_again && !python_is_ending())
		py.Py_AddPendingCall(look_pending, NULL);
}

/* 0: none, or it is not known. */
static uintptr_t current_task(void)
{
	long long task = python_call(task_of);

	return task > 0 ? (uintptr_t)task : 0;
}

static uint64_t key_of(const struct watch *w, enum call_by by)
{
	static _Atomic uint64_t alone;
	uintptr_t task = by == BY_TASK ? current_task() : 0;
	uint64_t who = by == BY_ITSELF ? 1ull << 55 | atomic_fetch_add(&alone, 1) : task ? task
											 : steps_thread();

	return who << 8 | (uint64_t)w->number;
}

/* ---- what it says ---- */

static const char *role_of(const struct watch *w, const struct told *t)
{
	const char *method = strrchr(w->function.path, '.');

	if (t->role)
		return t->role;
	if (*w->function.role)
		return w->function.role;
	return method ? method + 1 : w->function.path;
}

/* Where who published the numbers is gone, the steps behind the last one are counted on: as the clock's. */
static bool takes_over(const struct watch *w, unsigned int *clock)
{
	const struct watch *publisher = w->function.number == NUMBER_COUNTED ? watches_clock() : NULL;
	int64_t n;

	if (!publisher || publisher->function.number != NUMBER_PUBLISHED || published_find(&n))
		return false;
	log_once("published", "nobody tells the numbers of steps any more: they are counted on");
	*clock = publisher->source;
	return true;
}

/* An engine's processes have no variable for it where the server that started them has not set one. */
static void find_replica(void)
{
	int64_t replica;

	if (identity.replica < 0 && published_replica(&replica))
		identity_told_replica(replica);
}

/* Nobody asks one that another source has forestalled. */
static void tell_step(const struct watch *w, const struct told *t)
{
	bool forestalled = step_clock_has_fired() && !step_clock_is(w->source);
	int64_t n = t->has_step ? t->step : STEP_NULL;
	unsigned int source = w->source;

	if (w->function.number == NUMBER_PUBLISHED)
		find_replica();
	if (forestalled ? !takes_over(w, &source) : w->function.number == NUMBER_PUBLISHED && !published_find(&n))
		return;
	look_for_phases(watches_imply());
	queue_wait(steps_step_may_move(n));
	if (n == STEP_NULL)
		steps_count(source);
	else
		steps_begin(source, n);
}

static void tell_batch(const struct watch *w)
{
	struct batch_told told = { w->of == PYTHON_MINI ? SCHEDULE_MINI : SCHEDULE_MICRO, w->function.at_return ? BATCH_ENDS : BATCH_BEGINS,
				   w->function.role, w->function.stage, w->number };

	if (*w->function.stage && !looked)
		look_for_phases(true);
	queue_wait(steps_batch_may_move(&told));
	steps_batch(&told);
}

static void note_heard(const struct watch *w)
{
	if (settings.steps.none && gate_listens()) /* who only asks wants to know of each */
		steps_wake();
	session_source_called(w->place);
}

static void tell_number(const struct watch *w, const struct told *t)
{
	if (w->function.tells == TELLS_REPLICA)
		identity_told_replica(t->step);
	else if (w->function.tells == TELLS_LOADED)
		steps_loaded(t->step);
	else if (w->function.tells == TELLS_PHASE)
		phases_tell(w->function.role, t->has_step ? t->step : STEP_NULL);
	else
		published_tell(t->step);
}

static void tell(const struct watch *w, const struct told *t)
{
	note_heard(w);
	if (w->of == PYTHON_NUMBER)
		tell_number(w, t);
	else if (w->of == PYTHON_STEP)
		tell_step(w, t);
	else
		tell_batch(w);
}

static void begin(const struct watch *w, struct call *call, const struct told *t)
{
	if (w->of == PYTHON_STAGE) {
		note_heard(w);
		python_call(look_for_subclasses);
		queue_wait(steps_stage_may_move());
		call->stage = steps_stage_begin(role_of(w, t), atomic_load(&waiting) ? current_task() : 0);
		atomic_fetch_add(&waiting, call->stage && call->waits);
	} else if (!w->function.at_return) {
		tell(w, t);
	}
}

/* ---- entered, left ---- */

void (*calls_listen)(void);

/* Others wait for a number also where nothing is recorded any more. */
static bool is_wanted(const struct watch *w)
{
	if (gate_listens())
		return true;
	return w->of == PYTHON_NUMBER ? gate_load() & GATE_STARTED : gate_may_record();
}

struct call *call_enter(const struct watch *w, enum call_by by, bool *outermost)
{
	uint64_t key;
	struct call *call;

	*outermost = false;
	if (!gate_load() && !gate_listens() && calls_listen) /* in a forked child */
		calls_listen();
	if (!is_wanted(w))
		return NULL;
	key = key_of(w, by);
	call = by == BY_ITSELF ? NULL : call_find(key);
	if (call) {
		call->depth++;
		return call;
	}
	call = call_new(key);
	if (!call) {
		session_beyond(LIMIT_untold_stages, 1);
		return NULL;
	}
	*outermost = true;
	call->times++;
	call->depth = 1;
	call->stage = 0;
	call->counts = false;
	call->waits = by != BY_THREAD;
	return call;
}

struct call *call_leave(struct call *call)
{
	return call && atomic_load(&call->key) && --call->depth == 0 ? call : NULL;
}

struct call *call_leave_newest(const struct watch *w, enum call_by by)
{
	return by == BY_ITSELF ? NULL : call_leave(call_find(key_of(w, by)));
}

void call_entered(const struct watch *w, struct call *call, const struct told *t)
{
	call->counts = t->counts;
	if (t->has_rank)
		identity_told(t->rank, "python");
	if (t->counts)
		begin(w, call, t);
}

void call_left(const struct watch *w, struct call *call, const struct told *t)
{
	if (call->stage) {
		atomic_fetch_sub(&waiting, call->waits);
		queue_wait(steps_stage_may_move());
		steps_stage_end(call->stage);
	} else if (w->function.at_return && t->counts && is_wanted(w)) {
		tell(w, t);
	}
	atomic_store(&call->key, 0);
}

void calls_end(const struct watch *w)
{
	for (unsigned int i = 0; i < CALLS; i++)
		if ((atomic_load(&calls[i].key) & 0xff) == (uint64_t)w->number)
			call_left(w, &calls[i], &(struct told){ .counts = false });
}

/* An old token, of who was interrupted as he left, is nobody's. */
long call_token(const struct call *call)
{
	return call ? (long)((uint64_t)call->times << 8 | (uint64_t)(call - calls)) : 0;
}

struct call *call_of(long token)
{
	struct call *call = &calls[token & 0xff];

	return token > 0 && call->times == (uint64_t)token >> 8 ? call : NULL;
}

void told_take(struct told *t, void *from)
{
	void *step, *role, *rank;

	if (from == py.none || !py.PyArg_ParseTuple(from, "OOO", &step, &role, &rank)) {
		py.PyErr_Clear();
		return;
	}
	t->has_step = step != py.none;
	t->step = t->has_step ? py.PyLong_AsLongLong(step) : 0;
	t->has_rank = rank != py.none;
	t->rank = t->has_rank ? py.PyLong_AsLongLong(rank) : 0;
	t->role = role == py.none ? NULL : py.PyUnicode_AsUTF8(role);
	if (t->role && !*t->role)
		t->role = NULL;
	t->counts = !py.PyErr_Occurred();
	if (!t->counts)
		py.PyErr_Clear();
}

void calls_help(void *task, void *again, void *subclasses)
{
	py.Py_IncRef(task);
	py.Py_IncRef(again);
	py.Py_IncRef(subclasses);
	task_of = task;
	look_again = again;
	look_for_subclasses = subclasses;
}

void calls_forget(void)
{
	looked = false;
	for (unsigned int i = 0; i < CALLS; i++)
		atomic_store(&calls[i].key, 0);
	atomic_store(&waiting, 0);
}
