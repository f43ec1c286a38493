#include "agent/steps/python_watches.h"
#include <stdio.h>
#include <string.h>
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/phases.h"
#include "agent/steps/place.h"
#include "agent/steps/python_calls.h"
#include "agent/steps/python_monitoring.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/python_stand_in.h"
#include "agent/steps/step_clock.h"
#include "config/step_source/marker.h"
#include "config/step_source/place_source.h"
#include "config/step_source/step_source.h"

#define WATCHES (STEP_SOURCES + 4 * PLACE_SOURCES)

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

	if (!w && !is_given && count < WATCHES) {
		w = &watches[count++];
		w->place = SOURCES_HEARD;
	}
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

static void read_list(enum python_of of, const char *text)
{
	static struct python_function list[PLACE_SOURCES];
	unsigned int n;
	char why[256];

	if (place_source_parse(text, of, list, &n, why, sizeof(why)))
		return; /* config_load() has refused it already */
	for (unsigned int i = 0; i < n; i++)
		add(of, 0, &list[i]);
}

static void read_runs(enum python_of of, enum schedule_counter counter, const char *text)
{
	static struct python_function list[PLACE_SOURCES];
	unsigned int n;
	char why[256];

	if (place_source_parse(text, of, list, &n, why, sizeof(why)))
		return;
	for (unsigned int i = 0; i < n; i++)
		if (list[i].at_return)
			place_runs(counter, list[i].role);
}

void watches_read_runs(void)
{
	read_runs(PYTHON_MINI, SCHEDULE_MINI, settings.mini_source);
	read_runs(PYTHON_MICRO, SCHEDULE_MICRO, settings.micro_source);
}

void watches_read_places(void)
{
	read_list(PYTHON_STAGE, settings.stage_source);
	read_list(PYTHON_MINI, settings.mini_source);
	read_list(PYTHON_MICRO, settings.micro_source);
}

void watches_read_numbers(void)
{
	read_list(PYTHON_NUMBER, settings.number_source);
}

/* What of it other processes are told: a forked child has a session of its own. */
static void note_found(const struct watch *w)
{
	if (w->found && w->of == PYTHON_NUMBER && w->function.tells == TELLS_PHASE)
		phases_will_tell();
	session_source_is(w->place, (w->found ? SOURCE_FOUND : 0) | (w->lacked ? SOURCE_LACKED : 0));
}

_Static_assert(WATCHES + MARKER_STAGES <= SOURCES_HEARD, "each is counted");

/* Step sources are listed already where they are listened to. */
static unsigned int note_place(const struct watch *w, const char *kind)
{
	unsigned int place = w->of == PYTHON_STEP ? step_clock_place(w->source) : SOURCES_HEARD;

	return place < SOURCES_HEARD ? place : session_note_source(kind, "python", w->function.text);
}

void watches_note(void)
{
	static const char *const kinds[] = {
		[PYTHON_STEP] = "step",
		[PYTHON_STAGE] = "stage",
		[PYTHON_MINI] = "mini",
		[PYTHON_MICRO] = "micro",
		[PYTHON_NUMBER] = "number",
	};

	for (unsigned int i = 0; i < count; i++) {
		watches[i].place = note_place(&watches[i], kinds[watches[i].of]);
		note_found(&watches[i]); /* by the parent of this process */
	}
}

const struct watch *watches_clock(void)
{
	for (unsigned int i = 0; i < count; i++)
		if (watches[i].of == PYTHON_STEP && step_clock_is(watches[i].source))
			return &watches[i];
	return NULL;
}

bool watches_imply(void)
{
	for (unsigned int i = 0; i < count; i++)
		if (watches[i].found && *watches[i].function.stage)
			return true;
	return false;
}

bool watches_silent(void)
{
	for (unsigned int i = 0; i < count; i++)
		if ((watches[i].lacked && !watches[i].found) ||
		    (watches[i].place < SOURCES_HEARD && atomic_load(&session->unread[watches[i].place])))
			return true;
	return false;
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

/* ---- what python_shim.py asks ---- */

static struct watch *numbered(long long n)
{
	return n >= 0 && n < (long long)count ? &watches[n] : NULL;
}

/* bind(number, is a coroutine, is a generator): a stand-in's enter, leave and fail */
static void *on_bind(void *self, void *args)
{
	int number, waits, alone;
	const struct watch *w;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "iii", &number, &waits, &alone))
		return NULL;
	w = numbered(number);
	return w ? stand_in_new(w, alone ? BY_ITSELF : waits ? BY_TASK
							     : BY_THREAD)
		 : python_none();
}

/* watches(): each as a tuple */
static void *on_watches(void *self, void *unused)
{
	void *list = py.PyList_New(0);

	(void)self;
	(void)unused;
	for (unsigned int i = 0; list && i < count; i++) {
		const struct python_function *f = &watches[i].function;
		void *one = py.Py_BuildValue("(issisLissssss)", (int)i, f->module, f->path, (int)f->at_return, f->step, (long long)f->more,
					     (int)(f->tells == TELLS_LOADED), f->role, f->rank, f->when, f->when_is, f->skip, f->skip_is);

		if (one) {
			py.PyList_Append(list, one);
			py.Py_DecRef(one);
		} else { /* not UTF-8 */
			py.PyErr_Clear();
		}
	}
	is_given = true;
	return list;
}

/* found(number): so */
static void *on_found(void *self, void *number)
{
	struct watch *w = numbered(py.PyLong_AsLongLong(number));

	(void)self;
	if (w) {
		w->found = true;
		note_found(w);
	}
	return python_done();
}

/* package(name, version): is one of theirs */
static void *on_package(void *self, void *args)
{
	const char *name, *version;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "ss", &name, &version))
		return NULL;
	session_note_package(name, version);
	return python_none();
}

/* watch_code(number, code, is a coroutine, reader or None): its calls are this watch's. 0: there is no room */
static void *on_watch_code(void *self, void *args)
{
	int number, waits;
	void *code, *reader;
	struct watch *w;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "iOiO", &number, &code, &waits, &reader))
		return NULL;
	w = numbered(number);
	return py.PyLong_FromLong(w && monitoring_watch(code, w, waits ? BY_TASK : BY_THREAD, reader == py.none ? NULL : reader));
}

/* let_code_go(number, code): its calls are nobody's any more */
static void *on_let_code_go(void *self, void *args)
{
	const struct watch *w;
	void *code;
	int number;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "iO", &number, &code))
		return NULL;
	w = numbered(number);
	if (w)
		monitoring_let_go(code, w);
	return python_none();
}

/* end_calls(number): those that are open */
static void *on_end_calls(void *self, void *number)
{
	const struct watch *w = numbered(py.PyLong_AsLongLong(number));

	(void)self;
	if (w)
		calls_end(w);
	return python_done();
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

/* helpers(task, again, subclasses, queue): see calls_help() and queue_help() */
static void *on_helpers(void *self, void *args)
{
	void *task, *again, *subclasses, *queue;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "OOOO", &task, &again, &subclasses, &queue))
		return NULL;
	calls_help(task, again, subclasses);
	queue_help(queue);
	return python_none();
}

static void say(struct watch *w, const char *why)
{
	if (!*why)
		return;
	snprintf(w->topic, sizeof(w->topic), "python-%d", w->number);
	log_once(w->topic, "python:%.100s:%.100s: %.200s", w->function.module, w->function.path, why);
}

/* unread(number, calls, why): so many calls say nothing, as their arguments could not be read; 0: but for the rank */
static void *on_unread(void *self, void *args)
{
	struct watch *w;
	const char *why;
	int number, calls;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "iis", &number, &calls, &why))
		return NULL;
	w = numbered(number);
	if (w) {
		session_source_unread(w->place, (uint64_t)calls);
		say(w, why);
	}
	return python_none();
}

/* lacking(number, why): its module is there, and it is not, or cannot be watched; "": it may come yet */
static void *on_lacking(void *self, void *args)
{
	struct watch *w;
	const char *why;
	int number;

	(void)self;
	if (!py.PyArg_ParseTuple(args, "is", &number, &why))
		return NULL;
	w = numbered(number);
	if (w) {
		w->lacked = true;
		note_found(w);
		say(w, why);
	}
	return python_none();
}

static struct python_method methods[] = {
	PYTHON_METHOD("watches", on_watches, NOARGS),
	PYTHON_METHOD("bind", on_bind, VARARGS),
	PYTHON_METHOD("found", on_found, O),
	PYTHON_METHOD("package", on_package, VARARGS),
	PYTHON_METHOD("watch_code", on_watch_code, VARARGS),
	PYTHON_METHOD("let_code_go", on_let_code_go, VARARGS),
	PYTHON_METHOD("end_calls", on_end_calls, O),
	PYTHON_METHOD("var", on_var, VARARGS),
	PYTHON_METHOD("helpers", on_helpers, VARARGS),
	PYTHON_METHOD("unread", on_unread, VARARGS),
	PYTHON_METHOD("lacking", on_lacking, VARARGS),
};

bool watches_give(void *dictionary)
{
	return python_give(dictionary, methods, sizeof(methods) / sizeof(*methods)) && monitoring_give(dictionary) &&
	       queue_give(dictionary);
}
