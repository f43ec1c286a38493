#include "agent/steps/python_monitoring.h"
#include <stdatomic.h>
#include <sys/types.h>

static struct {
	_Atomic(void *) code;
	struct watch *watch;
} codes[1024]; /* where its address says, or behind it */
#define CODES (sizeof(codes) / sizeof(*codes))
static unsigned int code_count;

static unsigned int code_place(const void *code)
{
	return (unsigned int)(((uintptr_t)code >> 4) * 0x9e3779b1u >> 12) % CODES;
}

bool monitoring_watch(void *code, struct watch *w)
{
	unsigned int i = code_place(code);

	if (code_count > CODES / 2)
		return false;
	while (codes[i].code)
		i = (i + 1) % CODES;
	codes[i].watch = w;
	atomic_store_explicit(&codes[i].code, code, memory_order_release);
	code_count++;
	py.Py_IncRef(code);
	return true;
}

/* The n-th watch of this code; NULL: there are not so many. */
static struct watch *watch_of(const void *code, unsigned int n)
{
	void *at;

	for (unsigned int i = code_place(code); (at = atomic_load_explicit(&codes[i].code, memory_order_acquire)); i = (i + 1) % CODES)
		if (at == code && !n--)
			return codes[i].watch;
	return NULL;
}

/* False: Python has raised something meanwhile, which is a signal's (the user's Ctrl-C). */
static bool read_frame(const struct watch *w, struct told *t)
{
	if (!w->reader) {
		t->counts = true;
		return true;
	}
	t->kept = py.PyObject_CallFunctionObjArgs(w->reader, py.PyEval_GetFrame(), NULL);
	if (t->kept)
		told_take(t, t->kept);
	return t->kept;
}

static void *on_start(void *self, void *const *args, ssize_t n)
{
	struct watch *w;
	bool good = true;

	(void)self;
	for (unsigned int i = 0; n > 0 && good && (w = watch_of(args[0], i)); i++) {
		struct call *call = call_enter(w);
		struct told told = { .counts = false };

		if (!call)
			continue;
		good = w->function.at_return || read_frame(w, &told);
		call_entered(w, call, &told);
		if (told.kept)
			py.Py_DecRef(told.kept);
	}
	return good ? python_none() : NULL;
}

static void *leave_all(const void *code, bool returns)
{
	struct watch *w;
	bool good = true;

	for (unsigned int i = 0; (w = watch_of(code, i)); i++) {
		struct call *call = call_leave(w);
		struct told told = { .counts = false };

		if (!call)
			continue;
		if (returns && w->function.at_return && good)
			good = read_frame(w, &told);
		call_left(w, call, &told);
		if (told.kept)
			py.Py_DecRef(told.kept);
	}
	return good ? python_none() : NULL;
}

static void *on_return(void *self, void *const *args, ssize_t n)
{
	(void)self;
	return n > 0 ? leave_all(args[0], true) : python_none();
}

/* An exception leaves any function at all. */
static void *on_unwind(void *self, void *const *args, ssize_t n)
{
	(void)self;
	return n > 0 ? leave_all(args[0], false) : python_none();
}

static struct python_method methods[] = {
	PYTHON_METHOD("on_start", on_start, FASTCALL),
	PYTHON_METHOD("on_return", on_return, FASTCALL),
	PYTHON_METHOD("on_unwind", on_unwind, FASTCALL),
};

bool monitoring_give(void *dictionary)
{
	return python_give(dictionary, methods, sizeof(methods) / sizeof(*methods));
}
