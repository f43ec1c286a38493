#include "agent/steps/python_watches.h"
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include "agent/session/log.h"
#include "agent/session/settings.h"
#include "agent/steps/place.h"
#include "agent/steps/python_calls.h"
#include "agent/steps/python_monitoring.h"
#include "config/step_source/place_source.h"
#include "config/step_source/step_source.h"

#define WATCHES (STEP_SOURCES + 3 * PLACE_SOURCES)

static struct watch watches[WATCHES];
static unsigned int count;
static bool is_given; /* python_shim.py has them */

/* ---- which ---- */

static struct watch *known(enum python_of of, const struct python_function *f)
{
	for (unsigned int i = 0; i < count; i++)
		if (watches[i].of == of && !memcmp(&watches[i].function, f, sizeof(*f)))
			return &watches[i];
	return NULL;
}

static struct watch *add(enum python_of of, unsigned int source, const struct python_function *f)
{
	struct watch *w = known(of, f);

	if (!w && !is_given && count < WATCHES)
		w = &watches[count++];
	if (!w)
		return NULL;
	w->function = *f;
	w->number = (int)(w - watches) + 1;
	w->of = of;
	w->source = source;
	return w;
}

void watches_add_step(unsigned int source, const struct python_function *f)
{
	add(PYTHON_STEP, source, f);
}

static void read_places(enum python_of of, const char *text)
{
	static struct python_function list[PLACE_SOURCES];
	unsigned int n;
	char why[256];

	if (place_source_parse(text, of, list, &n, why, sizeof(why)))
		return; /* config_load() has refused it already */
	for (unsigned int i = 0; i < n; i++) {
		const struct watch *w = add(of, 0, &list[i]);

		if (w && of != PYTHON_STAGE && w->function.at_return)
			place_runs(of == PYTHON_MINI ? SCHEDULE_MINI : SCHEDULE_MICRO, w->function.role);
	}
}

void watches_read(void)
{
	read_places(PYTHON_STAGE, settings.stage_source);
	read_places(PYTHON_MINI, settings.mini_source);
	read_places(PYTHON_MICRO, settings.micro_source);
}

bool watches_any(void)
{
	return count > 0;
}

bool watches_found(unsigned int source)
{
	for (unsigned int i = 0; i < count; i++)
		if (watches[i].of == PYTHON_STEP && watches[i].source == source)
			return watches[i].found;
	return false;
}

/* ---- by a wrapper: with arguments as it has them, or with what Python has read of them ---- */

static struct told told_by(void *const *args, ssize_t n)
{
	struct told told = { .counts = n != 1 };

	if (n == 1)
		told_take(&told, args[0]);
	return told;
}

static struct watch *bound(void *self)
{
	return py.PyCapsule_GetPointer(self, NULL);
}

static void *on_enter(void *self, void *const *args, ssize_t n)
{
	struct watch *w = bound(self);
	struct call *call = call_enter(w);
	struct told told;

	if (call) {
		told = told_by(args, n);
		call_entered(w, call, &told);
	}
	return python_none();
}

static void *on_leave(void *self, void *const *args, ssize_t n)
{
	struct watch *w = bound(self);
	struct call *call = call_leave(w);
	struct told told;

	if (call) {
		told = told_by(args, n);
		call_left(w, call, &told);
	}
	return python_none();
}

static void *on_fail(void *self, void *const *args, ssize_t n)
{
	struct watch *w = bound(self);
	struct call *call = call_leave(w);

	(void)args;
	(void)n;
	if (call)
		call_left(w, call, &(struct told){ .counts = false });
	return python_none();
}

static struct python_method wrapper_methods[] = {
	PYTHON_METHOD("enter", on_enter, FASTCALL),
	PYTHON_METHOD("leave", on_leave, FASTCALL),
	PYTHON_METHOD("fail", on_fail, FASTCALL),
};

/* ---- what python_shim.py asks ---- */

static struct watch *numbered(void *number)
{
	long long n = py.PyLong_AsLongLong(number);

	return n >= 0 && n < (long long)count ? &watches[n] : NULL;
}

/* bind(number): a wrapper's enter, leave and fail */
static void *on_bind(void *self, void *number)
{
	struct watch *w = numbered(number);
	void *made[3] = { NULL }, *capsule = w ? py.PyCapsule_New(w, NULL, NULL) : NULL, *result;

	(void)self;
	for (int i = 0; capsule && i < 3; i++)
		made[i] = py.PyCFunction_NewEx(&wrapper_methods[i], capsule, NULL);
	if (capsule)
		py.Py_DecRef(capsule);
	result = made[0] && made[1] && made[2] ? py.Py_BuildValue("(OOO)", made[0], made[1], made[2]) : NULL;
	for (int i = 0; i < 3; i++)
		if (made[i])
			py.Py_DecRef(made[i]);
	return result;
}

/* watches(): each as a tuple */
static void *on_watches(void *self, void *unused)
{
	void *list = py.PyList_New(0);

	(void)self;
	(void)unused;
	for (unsigned int i = 0; list && i < count; i++) {
		const struct python_function *f = &watches[i].function;
		void *one = py.Py_BuildValue("(issisLsssss)", (int)i, f->module, f->path, (int)f->at_return, f->step, (long long)f->more,
					     f->role, f->when, f->when_is, f->skip, f->skip_is);

		if (one) {
			py.PyList_Append(list, one);
			py.Py_DecRef(one);
		}
	}
	is_given = true;
	return list;
}

/* found(number, waits, reader): so, in Python's words */
static void *on_found(void *self, void *args)
{
	struct watch *w;
	void *reader;
	int number, waits;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "iiO", &number, &waits, &reader))
		return NULL;
	if (number < 0 || number >= (int)count)
		return python_none();
	w = &watches[number];
	w->found = true;
	w->waits = waits;
	if (reader != py.none && !w->reader) {
		py.Py_IncRef(reader);
		w->reader = reader;
	}
	return python_none();
}

/* code(number, code): its calls are this watch's. Returns None: there is no room. */
static void *on_code(void *self, void *args)
{
	void *code;
	int number;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "iO", &number, &code))
		return NULL;
	if (number < 0 || number >= (int)count || !monitoring_watch(code, &watches[number]))
		return python_none();
	py.Py_IncRef(args);
	return args;
}

/* var(frame, name): an argument, or whatever else has that name there; not by its f_locals, which would keep it alive */
static void *on_var(void *self, void *args)
{
	const char *name;
	void *frame;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "Os", &frame, &name))
		return NULL;
	return py.get_variable ? py.get_variable(frame, name) : python_none();
}

/* helpers(task, again, queue): see calls_help() */
static void *on_helpers(void *self, void *args)
{
	void *task, *more, *queue;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "OOO", &task, &more, &queue))
		return NULL;
	calls_help(task, more, queue);
	return python_none();
}

/* unread(number, why): a call's argument could not be read, or a function is not there */
static void *on_unread(void *self, void *args)
{
	struct watch *w;
	const char *why;
	int number;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "is", &number, &why))
		return NULL;
	if (number < 0 || number >= (int)count)
		return python_none();
	w = &watches[number];
	snprintf(w->topic, sizeof(w->topic), "python-%d", number);
	log_once(w->topic, "python:%.100s:%.100s: %.200s", w->function.module, w->function.path, why);
	return python_none();
}

static struct python_method methods[] = {
	PYTHON_METHOD("watches", on_watches, NOARGS),
	PYTHON_METHOD("bind", on_bind, O),
	PYTHON_METHOD("found", on_found, VARARGS),
	PYTHON_METHOD("code", on_code, VARARGS),
	PYTHON_METHOD("var", on_var, VARARGS),
	PYTHON_METHOD("helpers", on_helpers, VARARGS),
	PYTHON_METHOD("unread", on_unread, VARARGS),
};

bool watches_give(void *dictionary)
{
	return python_give(dictionary, methods, sizeof(methods) / sizeof(*methods)) && monitoring_give(dictionary);
}
