#include "agent/stacks/stacks.h"
#include <stdatomic.h>
#include <sys/prctl.h>
#include "agent/base/text.h"
#include "agent/record/question.h"
#include "agent/record/recent_keys.h"
#include "agent/record/record.h"
#include "agent/session/definitions.h"
#include "agent/session/guest.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/stacks/native_names.h"
#include "agent/stacks/stack_names.h"
#include "config/option_words.h"

static _Atomic enum {
	NO_PYTHON,
	PYTHON_ASKED,
	PYTHON_RIGHT
} state;
static struct python_frames python;
static _Atomic bool with_native; /* in this window */

/* ---- whose work a thread does ---- */

#define NAME_SIZE	16	      /* of a thread's name, with its NUL: the kernel's */
#define BACKWARD_THREAD "pt_autograd" /* as PyTorch names those that do the backward pass, from 2.6 on */

struct own {
	uint32_t asked_in; /* the epoch in which it was asked for its name */
	uint8_t worker;	   /* enum stack_of: what is said of its calls if it runs no Python */
	bool practised;	   /* native stacks: no need any more */
	bool works;	   /* for somebody: */
	struct asked by;
};
static __thread struct own own __attribute__((tls_model("initial-exec")));

static enum stack_of worker(void)
{
	const struct agent_guest *guest = atomic_load(&agent_guest);
	char name[NAME_SIZE] = "";

	prctl(PR_GET_NAME, name);
	if (text_starts(name, BACKWARD_THREAD))
		return STACK_BACKWARD;
	return guest && guest->is_queue_thread(name) ? STACK_IN_QUEUE : STACK_NO_FRAMES;
}

/* Once in a step: a thread may take its name when it has begun. */
static enum stack_of own_worker(void)
{
	if (own.asked_in != producer.epoch || !own.worker) {
		own.asked_in = producer.epoch;
		own.worker = (uint8_t)worker();
	}
	return own.worker;
}

/* ---- the backward pass ---- */

/* How many threads are inside one, and their stacks' numbers, one xor the other: while it is one, that one's. */
static _Atomic uint64_t backward;
#define BACKWARD_ONE   (1ull << 48)
#define BACKWARD_STACK (BACKWARD_ONE - 1)

static __thread uint64_t entered __attribute__((tls_model("initial-exec"))); /* with this stack + 1; 0: it has not */
static int (*_Atomic graph_task)(void);					     /* of the calling thread; < 0: none */

void stacks_backward_task(int (*of_thread)(void))
{
	atomic_store(&graph_task, of_thread);
}

/* Threads that have no name for it have a task while they do it. Nobody is asked while nobody is inside. */
static bool does_backward(void)
{
	enum stack_of who = own_worker();
	int (*of_thread)(void) = atomic_load(&graph_task);

	if (who != STACK_NO_FRAMES)
		return who == STACK_BACKWARD;
	return of_thread && atomic_load(&backward) >= BACKWARD_ONE && of_thread() >= 0;
}

static void backward_move(uint64_t stack, uint64_t by)
{
	uint64_t was = atomic_load(&backward);

	while (!atomic_compare_exchange_weak(&backward, &was, ((was ^ stack) & BACKWARD_STACK) | ((was & ~BACKWARD_STACK) + by)))
		;
}

/* Outside of windows they are counted, too: one of them may still be inside when the next comes in a window, and is not that one. */
bool stacks_backward_begin(void)
{
	if (entered || does_backward())
		return false;
	entered = ((uint32_t)gate_load() & GATE_STACKS ? stacks_asked().stack & BACKWARD_STACK : 0) + 1;
	backward_move(entered - 1, BACKWARD_ONE);
	return true;
}

void stacks_backward_end(void)
{
	if (entered)
		backward_move(entered - 1, -BACKWARD_ONE);
	entered = 0;
}

static struct asked asked_backward(void)
{
	uint64_t now = atomic_load(&backward), inside = now / BACKWARD_ONE;

	return (struct asked){ inside == 1 ? now & BACKWARD_STACK : 0, inside > 1 ? STACK_SEVERAL : STACK_BACKWARD };
}

/* ---- who asked for a call ---- */

static bool asked_by_python(struct asked *asked)
{
	struct python_stack s;

	if (python_frames_begin(&python, &s)) {
		asked->stack = stack_names_of(&python.layout, &s);
		asked->of = asked->stack ? STACK_CALLER : STACK_NO_ROOM;
	}
	python_frames_done(&s);
	return s.count;
}

static struct asked asked_self(void)
{
	struct asked asked;

	if (state == PYTHON_ASKED)
		return (struct asked){ 0, STACK_TOO_EARLY };
	if (state == PYTHON_RIGHT && asked_by_python(&asked))
		return asked;
	if (own.works)
		return own.by;
	return does_backward() ? asked_backward() : (struct asked){ 0, own.worker };
}

struct asked stacks_asked(void)
{
	struct question q = question_begin();
	struct asked asked = asked_self();

	question_end(q);
	return asked;
}

void stacks_work_begin(struct asked by)
{
	own.by = by;
	own.works = true;
}

void stacks_work_end(void)
{
	own.works = false;
}

/* ---- which calls ---- */

static struct recent_keys pairs;					   /* of a thread, and an entry point or what it launches: 1 */
static __thread uint64_t since __attribute__((tls_model("initial-exec"))); /* the thread's calls behind the last N-th */

/* A key that is an id stands for a kernel or an operator; addresses are never so small. */
static bool is_new(const struct event *call)
{
	uint64_t key = recent_keys_of(producer_thread() ^ (uint64_t)call->hook << 48, definitions_has_id(call->key) ? call->key : 0);

	key = recent_keys_of(key, session_generation);
	if (recent_keys_get(&pairs, key))
		return false;
	recent_keys_put(&pairs, key, 1);
	return true;
}

static bool is_chosen(const struct event *call)
{
	if (settings.stack_every <= 1)
		return true;
	if (++since >= settings.stack_every) {
		since = 0;
		return true;
	}
	return is_new(call);
}

static uint64_t native_stack(void)
{
	struct native_stack s;

	own.practised = true;
	return native_frames_read(&s) ? native_names_of(&s) : 0;
}

static bool write_stack(const struct event *call, struct event *slot)
{
	struct asked asked;
	struct question q;

	if (!is_chosen(call))
		return false;
	q = question_begin();
	asked = asked_self();
	slot->key = asked.stack;
	slot->arg = STACK_ARG(with_native ? native_stack() : 0, asked.of);
	question_end(q);
	return true;
}

/* ---- what there is ---- */

BARE void stacks_opening(void)
{
	native_names_opening();
}

bool stacks_start(bool native)
{
	struct native_stack s;

	ring_write_stack = write_stack;
	if (!native)
		return true;
	if (!native_frames_open(settings.stack_by == STACK_BY_FP))
		return false;
	native_frames_read(&s); /* for this thread the first time is over */
	return true;
}

void stacks_practise(void)
{
	struct question q;
	struct native_stack s;

	if (own.practised || producer.inside & (INSIDE_WRITING | INSIDE_AGENT))
		return;
	q = question_begin();
	native_frames_read(&s);
	question_end(q);
}

void stacks_native(bool wanted)
{
	atomic_store_explicit(&with_native, wanted, memory_order_relaxed);
}

void stacks_python_asked(void)
{
	if (state == NO_PYTHON)
		state = PYTHON_ASKED;
}

void stacks_python_right(const struct python_frames *p)
{
	python = *p;
	state = PYTHON_RIGHT;
}

void stacks_python_wrong(void)
{
	state = NO_PYTHON;
}

void stacks_forget(void)
{
	own = (struct own){ 0 };
	entered = 0;
	atomic_store(&backward, 0);
	python_frames_forget();
}
