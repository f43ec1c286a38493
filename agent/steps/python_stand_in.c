#include "agent/steps/python_stand_in.h"
#include <stdlib.h>
#include <sys/types.h>

struct stand_in {
	const struct watch *watch;
	enum call_by by;
};

/* Nothing was read of the call, or what that says. */
static struct told told_by(void *const *args, ssize_t n, ssize_t at)
{
	struct told told = { .counts = n <= at };

	if (n > at)
		told_take(&told, args[at]);
	return told;
}

/* enter([told]): a token for the others */
static void *on_enter(void *self, void *const *args, ssize_t n)
{
	const struct stand_in *s = py.PyCapsule_GetPointer(self, NULL);
	struct told told;
	struct call *call;
	bool outermost;

	call = call_enter(s->watch, s->by, &outermost);
	if (outermost) {
		told = told_by(args, n, 0);
		call_entered(s->watch, call, &told);
	}
	if (!py.PyErr_Occurred())
		return py.PyLong_FromLong(call_token(call));
	if (call && call_leave(call))
		call_left(s->watch, call, &(struct told){ .counts = false });
	return NULL;
}

static long token_in(void *const *args, ssize_t n)
{
	return n > 0 ? (long)py.PyLong_AsLongLong(args[0]) : 0;
}

/* leave(token[, told]) */
static void *on_leave(void *self, void *const *args, ssize_t n)
{
	const struct stand_in *s = py.PyCapsule_GetPointer(self, NULL);
	struct call *call = call_leave(call_of(token_in(args, n)));
	struct told told;

	if (call) {
		told = told_by(args, n, 1);
		call_left(s->watch, call, &told);
	}
	return python_done();
}

/* fail(token) */
static void *on_fail(void *self, void *const *args, ssize_t n)
{
	const struct stand_in *s = py.PyCapsule_GetPointer(self, NULL);
	long token = token_in(args, n);
	struct call *call = token ? call_leave(call_of(token)) : call_leave_newest(s->watch, s->by); /* who is interrupted as he enters has none */

	if (call)
		call_left(s->watch, call, &(struct told){ .counts = false });
	return python_done();
}

static struct python_method methods[] = {
	PYTHON_METHOD("enter", on_enter, FASTCALL),
	PYTHON_METHOD("leave", on_leave, FASTCALL),
	PYTHON_METHOD("fail", on_fail, FASTCALL),
};
#define METHODS (sizeof(methods) / sizeof(*methods))

static void *new_capsule(const struct watch *w, enum call_by by)
{
	struct stand_in *s = malloc(sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct stand_in){ w, by };
	return py.PyCapsule_New(s, NULL, NULL);
}

void *stand_in_new(const struct watch *w, enum call_by by)
{
	void *made[METHODS] = { NULL }, *capsule = new_capsule(w, by), *result;

	for (unsigned int i = 0; capsule && i < METHODS; i++)
		made[i] = py.PyCFunction_NewEx(&methods[i], capsule, NULL);
	if (capsule)
		py.Py_DecRef(capsule);
	result = made[0] && made[1] && made[2] ? py.Py_BuildValue("(OOO)", made[0], made[1], made[2]) : NULL;
	for (unsigned int i = 0; i < METHODS; i++)
		if (made[i])
			py.Py_DecRef(made[i]);
	return result ? result : python_done();
}
