#include "agent/steps/python_optimizers.h"
#include <stdatomic.h>
#include <stdio.h>
#include "agent/base/text.h"
#include "agent/format/trace_file.h"
#include "agent/record/gate.h"
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/steps/optimizer_rounds.h"
#include "agent/steps/progress.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/steps.h"

static int source = -1; /* among the step sources */

/* How far we came. Python's memory and ours are inherited by a forked child together, so this stays. */
static _Atomic enum {
	WAITING, /* our code waits for torch.optim */
	OLD,	 /* torch.optim cannot call us */
	WATCHING /* it calls us */
} state;

static struct handles optimizers; /* a = the step in which it stepped last, b = its number */
static uint32_t met;		  /* so many of them, parents' ones too */
static struct optimizer_rounds rounds;
static uint32_t generation;			/* that has begun with a step */
static atomic_flag stepping = ATOMIC_FLAG_INIT; /* a Python without a GIL may have several threads here */
static char facts[128];				/* of all steps, for the report, */
static bool is_news;				/* that they are so now */

static NOINLINE void write_facts(void)
{
	static uint64_t to;
	static uint32_t many;
	static bool known;

	if (many == (rounds.period ? rounds.optimizers : met) && known == !!rounds.period && to == rounds.provisional_to)
		return;
	many = rounds.period ? rounds.optimizers : met;
	known = rounds.period;
	to = rounds.provisional_to;
	is_news = true;
	snprintf(facts, sizeof(facts), "optimizers=%u\noptimizer_round=%s\nprovisional_to=%llu\n",
		 many, known ? "known" : "learning", (unsigned long long)to);
}

static bool ends_a_step(const void *optimizer, struct step_end *end)
{
	struct handle_slot *s = handles_get(&optimizers, (uintptr_t)optimizer);
	bool was_unsure = optimizer_rounds_unsure(&rounds);
	uint32_t looked = rounds.looked;
	struct optimizer_stepped stepped;
	uint64_t step;

	is_news = false;
	if (generation != session_generation)
		optimizer_rounds_forget(&rounds);
	generation = session_generation;
	if (!s)
		s = handles_put(&optimizers, (uintptr_t)optimizer, 0, ++met);
	if (!s)
		return false;
	step = atomic_load(&s->a);
	stepped = optimizer_rounds_take(&rounds, (uint32_t)atomic_load(&s->b), &step);
	atomic_store_explicit(&s->a, step, memory_order_relaxed);
	if (looked != rounds.looked)
		write_facts();
	*end = (struct step_end){ stepped.provisional, rounds.doubtful, facts, (int64_t)rounds.provisional_to,
				  optimizer_rounds_unsure(&rounds) };
	is_news |= end->unsure != was_unsure;
	return stepped.ends;
}

/* Behind the last window, too, as long as what it was told may change. */
static bool is_followed(void)
{
	return gate_may_record() || (generation == session_generation && optimizer_rounds_unsure(&rounds));
}

/* ---- what Python calls ---- */

/* Before each optimizer's step ... */
static void *began(void *self, void *optimizer)
{
	(void)self;
	(void)optimizer;
	if (source >= 0 && gate_may_record())
		steps_claim((unsigned int)source);
	return python_none();
}

/* ... and behind it. */
static void *stepped(void *self, void *optimizer)
{
	struct step_end end;

	(void)self;
	if (source < 0 || !is_followed())
		return python_none();
	if (atomic_flag_test_and_set_explicit(&stepping, memory_order_acquire))
		return python_none(); /* at the same moment as another: not twice */
	if (ends_a_step(optimizer, &end)) {
		queue_wait(steps_step_may_move(STEP_NULL));
		steps_end((unsigned int)source, &end);
	} else if (is_news)
		steps_learned((unsigned int)source, &end);
	atomic_flag_clear_explicit(&stepping, memory_order_release);
	return python_none();
}

/* Can it be heard? */
static void note(void)
{
	if (source >= 0 && state != WAITING)
		step_clock_note((unsigned int)source, state == WATCHING ? SOURCE_FOUND : SOURCE_LACKED);
}

static void say_old(const char *version)
{
	state = OLD;
	if (step_clock_is_named())
		log_once("python", "torch %.64s has no optimizer hooks, torch 2.0 and later has: "
				   "give another --step-source",
			 version);
}

static void *on_say(void *self, void *args)
{
	const char *word = "", *text = "";

	(void)self;
	if (!py.PyArg_ParseTuple(args, "ss", &word, &text))
		return NULL;
	if (text_equal(word, "watching"))
		state = WATCHING;
	else if (text_equal(word, "old"))
		say_old(text);
	note();
	return python_none();
}

static struct python_method methods[] = {
	PYTHON_METHOD("began", began, O),
	PYTHON_METHOD("stepped", stepped, O),
	PYTHON_METHOD("say", on_say, VARARGS),
};

bool optimizers_give(void *dictionary)
{
	return python_give(dictionary, methods, sizeof(methods) / sizeof(*methods));
}

/* ---- asking ---- */

void optimizers_watch(unsigned int number)
{
	source = (int)number;
	note();
}

bool optimizers_watched(void)
{
	return source >= 0;
}

enum session_cause optimizers_why(void)
{
	static const enum session_cause causes[] = {
		[WAITING] = CAUSE_NO_TORCH,
		[OLD] = CAUSE_OLD_TORCH,
		[WATCHING] = CAUSE_NO_OPTIMIZER,
	};

	return causes[state];
}

bool optimizers_have_torch(void)
{
	return state > WAITING;
}

void optimizers_forget(void)
{
	atomic_flag_clear(&stepping);
}
