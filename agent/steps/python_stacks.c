#include "agent/steps/python_stacks.h"
#include <stdio.h>
#include "agent/os/elf.h"
#include "agent/record/question.h"
#include "agent/session/definitions.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/stacks/python_text.h"
#include "agent/stacks/stacks.h"
#include "agent/steps/python_api.h"

#define TEXT_MOST 512

static struct python_frames found;

bool python_stacks_wanted(void)
{
	return settings.contents & (CONTENT_MODULE | CONTENT_STACK) && settings.level >= LEVEL_0;
}

/* What older Pythons lack, that have no stacks. */
struct symbols {
	const char *runtime, *code_type;
	void *(*main_interpreter)(void);
};

static bool find_symbols(const struct elf_object *o, void *context)
{
	struct symbols *s = context;

	if (elf_is_us(o) || !(s->code_type = elf_lookup_variable(o, "PyCode_Type")))
		return false;
	s->runtime = elf_lookup_variable(o, "_PyRuntime");
	*(void **)&s->main_interpreter = elf_lookup(o, "PyInterpreterState_Main");
	return true;
}

static bool find(void)
{
	struct symbols s = { 0 };

	elf_walk(find_symbols, &s);
	found.state = py.PyGILState_GetThisThreadState;
	found.ending = py.is_finalizing;
	found.holds_gil = py.PyGILState_Check;
	found.newest_interpreter = py.PyInterpreterState_Head;
	found.main_interpreter = s.main_interpreter;
	found.code_type = s.code_type;
	return found.ending && s.code_type && s.main_interpreter && python_layout_find(&found.layout, py.Py_GetVersion(), s.runtime);
}

/* (name, file, first line, instruction), as python_stacks.py has it. */
static void *tell_frame(const struct python_frame *f)
{
	const struct python_layout *l = &found.layout;
	char name[TEXT_MOST], file[TEXT_MOST];

	name[python_text(l, python_pointer(f->code, l->name), name, sizeof(name) - 1)] = '\0';
	file[python_text(l, python_pointer(f->code, l->file), file, sizeof(file) - 1)] = '\0';
	return py.Py_BuildValue("(ssii)", name, file, python_int(f->code, l->line), (int)f->at);
}

/* read_frames(): those of who calls it, innermost first; None: this Python's are not known. */
static void *read_frames(void *self, void *unused)
{
	struct python_frames here;
	struct python_stack s;
	void *list, *frame;

	(void)self, (void)unused;
	if (!find() || !python_frames_there(&found))
		return python_none();
	here = found;
	here.newest_interpreter = here.main_interpreter; /* which is who asks, whatever others there are */
	list = py.PyList_New(0);
	python_frames_begin(&here, &s);
	for (unsigned int i = 0; list && i < s.count; i++) {
		frame = tell_frame(&s.frames[i]);
		if (!frame || py.PyList_Append(list, frame)) {
			py.PyErr_Clear();
			break;
		}
		py.Py_DecRef(frame);
	}
	python_frames_done(&s);
	return list;
}

/* frames_are(right, what differs) */
static void *frames_are(void *self, void *arguments)
{
	const char *why;
	char fact[256];
	int right;

	(void)self;
	if (!py.PyArg_ParseTuple(arguments, "is", &right, &why))
		return NULL;
	if (right) {
		stacks_python_right(&found);
		return python_none();
	}
	stacks_python_wrong();
	snprintf(fact, sizeof(fact), "stacks_refused=%.200s\n", why);
	definitions_text(DEF_IDENTITY, 0, fact);
	log_once("stacks", "stacks of Python are not recorded: %.200s", why);
	return python_none();
}

/* python_ends(), by atexit */
static void *python_ends(void *self, void *unused)
{
	struct question q = question_begin();

	(void)self, (void)unused;
	python_frames_end(&found);
	question_end(q);
	return python_none();
}

/* In the place of PyTorch's function, which is the object that it was made for. */
static void *run_backward(void *real, void *arguments, void *keywords)
{
	bool inside = stacks_backward_begin();
	void *result = py.PyObject_Call(real, arguments, keywords);

	if (inside)
		stacks_backward_end();
	return result;
}

static struct python_method door = { "run_backward", run_backward, PYTHON_VARARGS | PYTHON_KEYWORDS, NULL };

/* torch::autograd::get_current_graph_task_id() */
#define GRAPH_TASK "_ZN5torch8autograd25get_current_graph_task_idEv"

static void *door_to(void *self, void *real)
{
	(void)self;
	stacks_backward_task((int (*)(void))elf_find(GRAPH_TASK, false));
	return py.PyCFunction_NewEx(&door, real, NULL);
}

static struct python_method methods[] = {
	PYTHON_METHOD("read_frames", read_frames, NOARGS),
	PYTHON_METHOD("frames_are", frames_are, VARARGS),
	PYTHON_METHOD("python_ends", python_ends, NOARGS),
	PYTHON_METHOD("door_to", door_to, O),
};

bool python_stacks_give(void *dictionary)
{
	void *wanted = py.PyLong_FromLong(python_stacks_wanted());
	bool good = wanted && !py.PyDict_SetItemString(dictionary, "stacks_wanted", wanted);

	if (wanted)
		py.Py_DecRef(wanted);
	return good && python_give(dictionary, methods, sizeof(methods) / sizeof(*methods));
}
