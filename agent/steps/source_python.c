/*
 * source_python.c - the step source python: PyTorch's optimizers tell of their steps, if the process has
 * a CPython.
 *
 * No module of the user's is changed, and nobody waits: CPython is asked to run source_python.py in its main
 * thread as soon as that is back in the interpreter. We take no lock that Python holds while it runs code,
 * and start no thread.
 */
#include <errno.h>
#include <stdio.h>
#include "agent/base/text.h"
#include "agent/os/elf.h"
#include "agent/record/gate.h"
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/steps/optimizer_rounds.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"
#include "config/step_source/python.h"

/* agent/steps/source_python.py, as it stands there. */
__asm__(".pushsection .rodata.python, \"a\", @progbits\n"
	"python_code:\n\t.incbin \"agent/steps/source_python.py\"\n\t.byte 0\n"
	".popsection");
extern const char python_code[] OURS;

/* What we call of CPython: the same in all versions from 3.8 on. PYTHON(returns, name, parameters) */
#define FUNCTIONS(PYTHON)                                                   \
	PYTHON(int, Py_IsInitialized, (void))                               \
	PYTHON(const char *, Py_GetVersion, (void))                         \
	PYTHON(int, Py_AddPendingCall, (int (*)(void *), void *))           \
	PYTHON(void *, Py_CompileString, (const char *, const char *, int)) \
	PYTHON(void *, PyModule_New, (const char *))                        \
	PYTHON(void *, PyModule_GetDict, (void *))                          \
	PYTHON(void *, PyEval_GetBuiltins, (void))                          \
	PYTHON(void *, PyEval_EvalCode, (void *, void *, void *))           \
	PYTHON(int, PyDict_SetItemString, (void *, const char *, void *))   \
	PYTHON(void *, PyCFunction_NewEx, (void *, void *, void *))         \
	PYTHON(int, PyArg_ParseTuple, (void *, const char *, ...))          \
	PYTHON(void, Py_IncRef, (void *))                                   \
	PYTHON(void, PyErr_Clear, (void))                                   \
	PYTHON(void, Py_DecRef, (void *))

static struct {
#define PYTHON(returns, name, params) returns(*name) params;
	FUNCTIONS(PYTHON)
#undef PYTHON
	void *none;
	int (*is_finalizing)(void); /* NULL: not to be had */
	const int *is_finishing;    /* in 3.8 only */
} py;

static const char *const names[] = {
#define PYTHON(returns, name, params) #name,
	FUNCTIONS(PYTHON)
#undef PYTHON
};
#define NAMES (sizeof(names) / sizeof(*names))

/* How far we came. Python's memory and ours are inherited by a forked child together, so this stays. */
static _Atomic enum {
	ABSENT,	  /* no CPython that is running */
	ASKED,	  /* it will run our code */
	WAITING,  /* our code waits for torch.optim */
	OLD,	  /* torch.optim cannot call us */
	WATCHING, /* it calls us */
	FAILED,
} state;

/* ---- optimizers ---- */

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

/* ---- what Python calls; with the GIL held, by the rules of its C API ---- */

static void *none(void)
{
	py.Py_IncRef(py.none);
	return py.none;
}

/* Before each optimizer's step ... */
static void *began(void *self, void *optimizer)
{
	int source = step_clock_find(STEP_SOURCE_python);

	(void)self;
	(void)optimizer;
	if (source >= 0 && gate_may_record())
		steps_claim((unsigned int)source);
	return none();
}

/* ... and behind it. */
static void *stepped(void *self, void *optimizer)
{
	int source = step_clock_find(STEP_SOURCE_python);

	struct step_end end;

	(void)self;
	if (source < 0 || !is_followed())
		return none();
	if (atomic_flag_test_and_set_explicit(&stepping, memory_order_acquire))
		return none(); /* at the same moment as another: not twice */
	if (ends_a_step(optimizer, &end))
		steps_end((unsigned int)source, &end);
	else if (is_news)
		steps_learned((unsigned int)source, &end);
	atomic_flag_clear_explicit(&stepping, memory_order_release);
	return none();
}

static void say_old(const char *version)
{
	state = OLD;
	if (step_clock_is_named())
		log_once("python", "torch %.64s has no optimizer hooks, torch 2.0 and later has: "
				   "give another --step-source",
			 version);
}

static void say_failed(const char *why)
{
	state = FAILED;
	log_once("python", "steps of PyTorch's optimizers are not seen: %.256s", why);
}

static void *on_say(void *self, void *args)
{
	const char *word = "", *text = "";

	(void)self;
	if (!py.PyArg_ParseTuple(args, "ss", &word, &text))
		py.PyErr_Clear();
	else if (text_equal(word, "waiting"))
		state = WAITING;
	else if (text_equal(word, "watching"))
		state = WATCHING;
	else if (text_equal(word, "old"))
		say_old(text);
	else
		say_failed(text);
	return none();
}

#define METH_VARARGS 1
#define METH_O	     8

/* As PyMethodDef is laid out. */
static struct method {
	const char *name;
	void *(*function)(void *, void *);
	int flags;
	const char *help;
} methods[] = {
	{ "began", began, METH_O, NULL },
	{ "stepped", stepped, METH_O, NULL },
	{ "say", on_say, METH_VARARGS, NULL },
};

static bool give_methods(void *globals)
{
	bool good = true;

	for (unsigned int i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		void *function = py.PyCFunction_NewEx(&methods[i], NULL, NULL);

		good = good && function && !py.PyDict_SetItemString(globals, methods[i].name, function);
		if (function)
			py.Py_DecRef(function);
	}
	return good;
}

/* Returns what a pending call returns: -1 to raise what our code let pass, which is a signal's (the user's Ctrl-C). */
static int run_code(void)
{
	void *module = py.PyModule_New("ranktrace"), *code = NULL, *globals, *result = NULL;
	bool made = false;

	if (module) {
		globals = py.PyModule_GetDict(module);
		code = py.Py_CompileString(python_code, "<ranktrace>", 257 /* Py_file_input */);
		made = code && !py.PyDict_SetItemString(globals, "__builtins__", py.PyEval_GetBuiltins()) &&
		       give_methods(globals);
		result = made ? py.PyEval_EvalCode(code, globals, globals) : NULL;
		py.Py_DecRef(module); /* the functions in it keep its dictionary */
	}
	if (code)
		py.Py_DecRef(code);
	if (result)
		py.Py_DecRef(result);
	else if (!made)
		py.PyErr_Clear();
	if (!result)
		say_failed(made ? "interrupted during set-up" : "Python refused ranktrace's script");
	return made && !result ? -1 : 0;
}

/* By Python's main thread. A forked child may have its parent's call beside its own. */
static int pending(void *unused)
{
	int saved = errno, result = 0;

	(void)unused;
	if (state == ASKED && py.Py_IsInitialized() && !(py.is_finalizing && py.is_finalizing()))
		result = run_code();
	errno = saved;
	return result;
}

/* ---- asking ---- */

/* From its start of finishing on, 3.8 answers a pending call with an exception, which takes the GIL's holder to raise. */
#define FINISHING_3_8 600

static bool find_python(const struct elf_object *o, void *found)
{
	void **function = (void **)&py;
	char *runtime;

	if (elf_is_us(o) || !elf_lookup(o, names[0]))
		return false;
	*(bool *)found = true;
	for (unsigned int i = 0; i < NAMES; i++) {
		function[i] = elf_lookup(o, names[i]);
		*(bool *)found &= function[i] != NULL;
	}
	py.none = elf_lookup_variable(o, "_Py_NoneStruct");
	*(bool *)found &= py.none != NULL;
	py.is_finalizing = elf_lookup(o, "Py_IsFinalizing");
	if (!py.is_finalizing)
		py.is_finalizing = elf_lookup(o, "_Py_IsFinalizing");
	runtime = elf_lookup_variable(o, "_PyRuntime");
	py.is_finishing = runtime ? (const int *)(runtime + FINISHING_3_8) : NULL;
	return true;
}

static bool is_ending(void)
{
	if (py.is_finalizing && py.is_finalizing())
		return true;
	return text_starts(py.Py_GetVersion(), "3.8.") && (!py.is_finishing || *py.is_finishing);
}

static bool start(unsigned int source, const struct step_source_spec *spec)
{
	bool found = false;

	(void)source;
	(void)spec;
	if (state > ASKED)
		return true;
	elf_walk(find_python, &found);
	if (!found || !py.Py_IsInitialized() || is_ending())
		return false;
	state = ASKED;
	if (py.Py_AddPendingCall(pending, NULL))
		say_failed("Python accepts no more pending calls");
	return state == ASKED;
}

static enum session_cause why(bool named)
{
	static const enum session_cause causes[] = {
		[ABSENT] = CAUSE_NO_PYTHON,
		[ASKED] = CAUSE_PYTHON_AWAY,
		[WAITING] = CAUSE_NO_TORCH,
		[OLD] = CAUSE_OLD_TORCH,
		[WATCHING] = CAUSE_NO_OPTIMIZER,
		[FAILED] = CAUSE_PYTHON_FAILED,
	};
	bool has_torch = state > WAITING;

	return named || has_torch ? causes[state] : CAUSE_NONE;
}

static void forget(void)
{
	atomic_flag_clear(&stepping);
}

const struct step_source python_source = {
	.usual = PYTHON_OPTIMIZER,
	.start = start,
	.why = why,
	.forget = forget,
};
