#include "agent/steps/python_monitoring.h"
#include <stdatomic.h>
#include <sys/types.h>

static struct watched_code {
	_Atomic(void *) code;
	const struct watch *watch;
	enum call_by by;
	void *reader;	/* of its arguments, in Python; NULL: nothing is read of them */
	bool is_let_go; /* nobody is told of it any more */
} codes[4096];		/* where its address says, or behind it */
#define CODES (sizeof(codes) / sizeof(*codes))
static unsigned int code_count;

static unsigned int code_place(const void *code)
{
	return (unsigned int)(((uintptr_t)code >> 4) * 0x9e3779b1u >> 12) % CODES;
}

/* The next one of this code, from *i on; NULL: there are no more. */
static struct watched_code *next_of(const void *code, unsigned int *i)
{
	void *at;

	while ((at = atomic_load_explicit(&codes[*i].code, memory_order_acquire))) {
		struct watched_code *c = &codes[*i];

		*i = (*i + 1) % CODES;
		if (at == code)
			return c;
	}
	return NULL;
}

static struct watched_code *of_watch(const void *code, const struct watch *w)
{
	unsigned int i = code_place(code);
	struct watched_code *c;

	while ((c = next_of(code, &i)))
		if (c->watch == w)
			return c;
	return NULL;
}

/* Who had another one before may be using it. */
static void give_reader(struct watched_code *c, void *reader)
{
	c->is_let_go = false;
	c->reader = reader;
	if (reader)
		py.Py_IncRef(reader);
}

void monitoring_let_go(const void *code, const struct watch *w)
{
	struct watched_code *c = of_watch(code, w);

	if (c)
		c->is_let_go = true;
}

bool monitoring_watch(void *code, const struct watch *w, enum call_by by, void *reader)
{
	unsigned int i = code_place(code);
	struct watched_code *c;

	c = of_watch(code, w);
	if (c) { /* again */
		give_reader(c, reader);
		return true;
	}
	while (next_of(code, &i))
		;
	if (code_count > CODES / 2)
		return false;
	codes[i].watch = w;
	codes[i].by = by;
	give_reader(&codes[i], reader);
	py.Py_IncRef(code);
	atomic_store_explicit(&codes[i].code, code, memory_order_release);
	code_count++;
	return true;
}

static void read_frame(const struct watched_code *c, struct told *t)
{
	t->counts = !c->reader;
	if (t->counts || py.PyErr_Occurred())
		return;
	t->kept = py.PyObject_CallFunctionObjArgs(c->reader, py.PyEval_GetFrame(), NULL);
	if (t->kept)
		told_take(t, t->kept);
}

static void let_go(const struct told *t)
{
	if (t->kept)
		py.Py_DecRef(t->kept);
}

static void *on_start(void *self, void *const *args, ssize_t n)
{
	unsigned int i = n > 0 ? code_place(args[0]) : 0;
	struct watched_code *c;
	bool outermost;

	(void)self;
	while (n > 0 && (c = next_of(args[0], &i))) {
		struct call *call = c->is_let_go ? NULL : call_enter(c->watch, c->by, &outermost);
		struct told told = { .counts = false };

		if (!call || !outermost)
			continue;
		if (!c->watch->function.at_return)
			read_frame(c, &told);
		call_entered(c->watch, call, &told);
		let_go(&told);
	}
	return python_done();
}

static void leave_all(const void *code, bool returns)
{
	unsigned int i = code_place(code);
	struct watched_code *c;

	while ((c = next_of(code, &i))) {
		struct call *call = c->is_let_go ? NULL : call_leave_newest(c->watch, c->by);
		struct told told = { .counts = false };

		if (!call)
			continue;
		if (returns && c->watch->function.at_return)
			read_frame(c, &told);
		call_left(c->watch, call, &told);
		let_go(&told);
	}
}

static void *on_return(void *self, void *const *args, ssize_t n)
{
	(void)self;
	if (n > 0)
		leave_all(args[0], true);
	return python_done();
}

/* An exception leaves any function at all. */
static void *on_unwind(void *self, void *const *args, ssize_t n)
{
	(void)self;
	if (n > 0)
		leave_all(args[0], false);
	return python_done();
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
