#include "agent/steps/python_api.h"
#include "agent/base/text.h"
#include "agent/os/elf.h"

struct python_api py;

static const char *const names[] = {
#define PYTHON(returns, name, params) #name,
	PYTHON_FUNCTIONS(PYTHON)
#undef PYTHON
};
#define NAMES	      (sizeof(names) / sizeof(*names))

/* From its start of finishing on, 3.8 answers a pending call with an exception, which takes the GIL's holder to raise. */
#define FINISHING_3_8 600

static bool find_in(const struct elf_object *o, void *found)
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
	py.get_variable = elf_lookup(o, "PyFrame_GetVarString");
	py.is_finalizing = elf_lookup(o, "Py_IsFinalizing");
	if (!py.is_finalizing)
		py.is_finalizing = elf_lookup(o, "_Py_IsFinalizing");
	runtime = elf_lookup_variable(o, "_PyRuntime");
	py.is_finishing = runtime ? (const int *)(runtime + FINISHING_3_8) : NULL;
	return true;
}

bool python_find(void)
{
	bool found = false;

	elf_walk(find_in, &found);
	return found && py.Py_IsInitialized();
}

bool python_is_ending(void)
{
	if (py.is_finalizing && py.is_finalizing())
		return true;
	return text_starts(py.Py_GetVersion(), "3.8.") && (!py.is_finishing || *py.is_finishing);
}

void *python_none(void)
{
	py.Py_IncRef(py.none);
	return py.none;
}

long long python_call(void *function)
{
	void *result = function && !py.PyErr_Occurred() ? py.PyObject_CallFunctionObjArgs(function, NULL) : NULL;
	long long number;

	if (!result)
		return 0;
	number = result == py.none ? 0 : py.PyLong_AsLongLong(result);
	py.Py_DecRef(result);
	return number;
}

void *python_done(void)
{
	return py.PyErr_Occurred() ? NULL : python_none();
}

bool python_give(void *dictionary, struct python_method *methods, size_t count)
{
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		void *function = py.PyCFunction_NewEx(&methods[i], NULL, NULL);

		good = good && function && !py.PyDict_SetItemString(dictionary, methods[i].name, function);
		if (function)
			py.Py_DecRef(function);
	}
	return good;
}
