#include "agent/scout.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include "agent/base/text.h"
#include "agent/record/gate.h"
#include "agent/steps/python_api.h"
#include "agent/steps/python_shim.h"
#include "config/load/load.h"
#include "config/step_source/place_source.h"
#include "config/step_source/python.h"
#include "config/step_source/step_source.h"

static enum {
	SCOUT_AWAY, /* nobody wants one */
	SCOUT_WAITS,
	SCOUT_ASKED, /* Python will call us */
	SCOUT_GONE,  /* it has looked: now its finder does, or nobody needs to */
} state;

static void (*start_listening)(void);
static char modules[8192]; /* that the settings name: one behind the other, each with its NUL, and an empty one */

/* ---- which modules ---- */

static void add_module(const char *name)
{
	char *end = modules;

	for (; *end; end += strlen(end) + 1)
		if (!strcmp(end, name))
			return;
	if (end + strlen(name) + 2 < modules + sizeof(modules))
		text_copy(end, strlen(name) + 1, name);
}

/* Stages, and what a server or an agent loop tells engines: neither need call a device. Batches and steps are nothing without calls. */
static bool needs_no_device(enum python_of of, const struct python_function *f)
{
	bool of_stages = of == PYTHON_STAGE || *f->stage;
	bool for_engines = of == PYTHON_NUMBER && (f->tells == TELLS_REPLICA || f->tells == TELLS_PHASE);

	return of_stages || for_engines;
}

/* all: those too that are nothing without a device. */
static void add_places(enum python_of of, const char *text, bool all)
{
	static struct python_function list[PLACE_SOURCES];
	unsigned int n = 0;
	char why[256];

	if (place_source_parse(text, of, list, &n, why, sizeof(why)))
		return;
	for (unsigned int i = 0; i < n; i++)
		if (all || needs_no_device(of, &list[i]))
			add_module(list[i].module);
}

/* PyTorch's optimizers are in every trainer, and in much that is none. */
static void add_steps(const char *text)
{
	static struct step_source_spec specs[STEP_SOURCES];
	static struct python_function f;
	unsigned int n = 0;
	char why[256];

	if (step_source_parse(text, specs, &n, why, sizeof(why)))
		return;
	for (unsigned int i = 0; i < n; i++)
		if (specs[i].kind == STEP_SOURCE_python && strcmp(specs[i].argument, PYTHON_OPTIMIZER) &&
		    !python_read(&f, PYTHON_STEP, specs[i].argument, why, sizeof(why)))
			add_module(f.module);
}

static void read_modules(void)
{
	static struct config c;
	char error[512];

	if (config_load(&c, error, sizeof(error)) || !c.enable || !(c.steps.all || c.steps.count || c.steps.none))
		return; /* a hooked call will tell what is wrong with them */
	add_places(PYTHON_STAGE, c.stage_source, c.steps.none);
	add_places(PYTHON_MINI, c.mini_source, c.steps.none);
	add_places(PYTHON_MICRO, c.micro_source, c.steps.none);
	add_places(PYTHON_NUMBER, c.number_source, c.steps.none);
	if (c.steps.none) /* who only asks wants to know of each process */
		add_steps(c.step_source);
}

/* __main__ is in each Python: what counts is a program of its own, and not -c, which helpers are started with. */
static bool is_there(const char *name)
{
	void *module = py.PyDict_GetItemString(py.PyImport_GetModuleDict(), name), *main;

	if (!module || strcmp(name, "__main__"))
		return module;
	main = py.PyModule_GetDict(module);
	if (main)
		return py.PyDict_GetItemString(main, "__file__");
	py.PyErr_Clear(); /* programs put other things there */
	return false;
}

static bool is_named(const char *name)
{
	for (const char *m = modules; *m; m += strlen(m) + 1)
		if (!strcmp(m, name))
			return true;
	return false;
}

static bool any_is_there(void)
{
	for (const char *m = modules; *m; m += strlen(m) + 1)
		if (is_there(m))
			return true;
	return false;
}

/* ---- a finder: a module with a function find_spec, first in sys.meta_path ---- */

static void *finder; /* for as long as Python runs */

static void *finders(void)
{
	void *list = py.PySys_GetObject("meta_path");

	if (list && py.PyList_Size(list) >= 0)
		return list;
	py.PyErr_Clear(); /* programs put other things there */
	return NULL;
}

/* Who goes through the list goes on behind this place, so it stays. -1: somebody has taken it away. */
static long place_of_finder(void)
{
	void *list = finders();

	for (long i = 0; list && i < py.PyList_Size(list); i++)
		if (py.PyList_GetItem(list, i) == finder)
			return i;
	return -1;
}

/* The shim's finder stands in front of ours by now, if it waits for anything: it asks all behind it. Those before were asked already. */
static void *ask_shim(long before, void *arguments)
{
	long place = place_of_finder();
	void *find, *spec;

	if (place <= 0 || place == before)
		return python_none();
	find = py.PyObject_GetAttrString(py.PyList_GetItem(finders(), place - 1), "find_spec");
	if (!find)
		return NULL;
	spec = py.PyObject_CallObject(find, arguments);
	py.Py_DecRef(find);
	return spec;
}

/* find_spec(name, path=None, target=None) */
static void *on_find_spec(void *self, void *arguments, void *keywords)
{
	static bool done;
	void *path, *target;
	const char *name;
	bool started = gate_load() || gate_listens();
	int saved = errno;
	long place;

	(void)self;
	if (done)
		return python_none();
	if (keywords || !py.PyArg_ParseTuple(arguments, "s|OO", &name, &path, &target)) {
		py.PyErr_Clear(); /* that is no import */
		return python_none();
	}
	if (!started && !is_named(name) && !any_is_there())
		return python_none();
	done = true;
	place = place_of_finder();
	if (!started)
		start_listening();
	errno = saved;
	return shim_now() ? ask_shim(place, arguments) : NULL;
}

static struct python_method find_spec[] = { { "find_spec", on_find_spec, PYTHON_VARARGS | PYTHON_KEYWORDS, NULL } };

static void join_finders(void)
{
	void *list = finders();

	finder = list ? py.PyModule_New("ranktrace") : NULL;
	if (!finder || !python_give(py.PyModule_GetDict(finder), find_spec, 1) || py.PyList_Insert(list, 0, finder))
		py.PyErr_Clear();
}

/* ---- the first look: by Python's main thread, as soon as that is back in the interpreter ---- */

static int look(void *unused)
{
	int saved = errno;

	(void)unused;
	state = SCOUT_GONE;
	if (gate_load() || gate_listens() || !py.Py_IsInitialized() || python_is_ending())
		return 0;
	read_modules();
	if (any_is_there())
		start_listening();
	else if (*modules)
		join_finders();
	errno = saved;
	return 0;
}

void scout_library_opened(void)
{
	int saved = errno;

	if (state == SCOUT_WAITS && !gate_load() && python_find() && !python_is_ending() && !py.Py_AddPendingCall(look, NULL))
		state = SCOUT_ASKED;
	errno = saved;
}

/* Most processes are no Python's, and most Pythons no job's: what a job's have is one of these. */
void scout_loaded(void (*listen)(void))
{
	static const char *const variables[] = { "RANKTRACE_PRESET", "RANKTRACE_STAGE_SOURCE", "RANKTRACE_STEP_SOURCE", "RANKTRACE_MINI_SOURCE",
						 "RANKTRACE_MICRO_SOURCE", "RANKTRACE_NUMBER_SOURCE", "RANKTRACE_CONFIG" };

	start_listening = listen;
	for (unsigned int i = 0; i < sizeof(variables) / sizeof(*variables) && state == SCOUT_AWAY; i++) {
		const char *text = getenv(variables[i]);

		if (text && *text && !getauxval(AT_SECURE))
			state = SCOUT_WAITS;
	}
}
