/*
 * python_shim.c - no module of the user's is read for it, and no lock taken that Python holds while it runs code.
 */
#include "agent/steps/python_shim.h"
#include <errno.h>
#include <stdatomic.h>
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/steps/python_api.h"
#include "agent/steps/python_optimizers.h"
#include "agent/steps/python_stacks.h"
#include "agent/steps/python_watches.h"

/* python_shim.py and what belongs to it, as they stand there: one text. */
__asm__(".pushsection .rodata.python, \"a\", @progbits\n"
	"shim_code:\n"
	"\t.incbin \"agent/steps/python_shim.py\"\n"
	"\t.incbin \"agent/steps/python_functions.py\"\n"
	"\t.incbin \"agent/steps/python_queue.py\"\n"
	"\t.incbin \"agent/steps/python_stacks.py\"\n"
	"\t.incbin \"agent/steps/python_finder.py\"\n"
	"\t.byte 0\n"
	".popsection");
extern const char shim_code[] OURS;

/* Python's memory and ours are inherited by a forked child together, so this stays. */
static _Atomic enum shim_state state;

static void fail(const char *why)
{
	state = SHIM_FAILED;
	log_once("python", "Python's functions are not watched: %.256s", why);
}

static void *on_failed(void *self, void *why)
{
	const char *text = py.PyUnicode_AsUTF8(why);

	(void)self;
	fail(text ? text : "");
	return text ? python_none() : NULL;
}

static void *on_not_empty(void *self, void *why)
{
	const char *text = py.PyUnicode_AsUTF8(why);

	(void)self;
	session_beyond(LIMIT_unwaited_queues, 1);
	log_once("queue", "PyTorch's launch queue was not waited for, so calls may count to the window behind theirs: %.200s", text ? text : "");
	return text ? python_none() : NULL;
}

static struct python_method methods[] = {
	PYTHON_METHOD("failed", on_failed, O),
	PYTHON_METHOD("not_empty", on_not_empty, O),
};

/* Returns what a pending call returns: -1 to raise what our code let pass, which is a signal's (the user's Ctrl-C). */
static int run_code(void)
{
	void *module = py.PyModule_New("ranktrace"), *code = NULL, *globals, *result = NULL;
	bool made = false;

	if (module) {
		globals = py.PyModule_GetDict(module);
		code = py.Py_CompileString(shim_code, "<ranktrace>", 257 /* Py_file_input */);
		made = code && !py.PyDict_SetItemString(globals, "__builtins__", py.PyEval_GetBuiltins()) &&
		       python_give(globals, methods, sizeof(methods) / sizeof(*methods)) && optimizers_give(globals) && watches_give(globals) && python_stacks_give(globals) &&
		       !py.PyDict_SetItemString(globals, "watches_optimizers", optimizers_watched() ? code : py.none);
		state = made ? SHIM_RUNS : SHIM_ASKED;
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
		fail(made ? "interrupted during set-up" : "Python refused ranktrace's script");
	return made && !result ? -1 : 0;
}

/* By Python's main thread. A forked child may have its parent's call beside its own. */
static int pending(void *unused)
{
	int saved = errno, result = 0;

	(void)unused;
	if (state == SHIM_ASKED && py.Py_IsInitialized() && !(py.is_finalizing && py.is_finalizing()))
		result = run_code();
	errno = saved;
	return result;
}

void shim_ask(void)
{
	if (state > SHIM_ASKED || !python_find() || python_is_ending())
		return;
	state = SHIM_ASKED;
	if (py.Py_AddPendingCall(pending, NULL))
		fail("Python accepts no more pending calls");
}

bool shim_now(void)
{
	return !pending(NULL);
}

enum shim_state shim_state(void)
{
	return state;
}
