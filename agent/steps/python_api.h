/*
 * python_api.h - the process's CPython, if it has one: what we call of it, found by name. All but python_find() and python_is_ending() by
 * the rules of its C API: with the GIL held.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "agent/base/attributes.h"

/* The same in all versions from 3.8 on. PYTHON(returns, name, parameters) */
#define PYTHON_FUNCTIONS(PYTHON)                                            \
	PYTHON(int, Py_IsInitialized, (void))                               \
	PYTHON(const char *, Py_GetVersion, (void))                         \
	PYTHON(int, Py_AddPendingCall, (int (*)(void *), void *))           \
	PYTHON(void *, Py_CompileString, (const char *, const char *, int)) \
	PYTHON(void *, Py_BuildValue, (const char *, ...))                  \
	PYTHON(void *, PyModule_New, (const char *))                        \
	PYTHON(void *, PyModule_GetDict, (void *))                          \
	PYTHON(void *, PyEval_GetBuiltins, (void))                          \
	PYTHON(void *, PyEval_EvalCode, (void *, void *, void *))           \
	PYTHON(void *, PyEval_GetFrame, (void))                             \
	PYTHON(int, PyDict_SetItemString, (void *, const char *, void *))   \
	PYTHON(void *, PyCFunction_NewEx, (void *, void *, void *))         \
	PYTHON(int, PyArg_ParseTuple, (void *, const char *, ...))          \
	PYTHON(void *, PyObject_CallFunctionObjArgs, (void *, ...))         \
	PYTHON(void *, PyCapsule_New, (void *, const char *, void *))       \
	PYTHON(void *, PyCapsule_GetPointer, (void *, const char *))        \
	PYTHON(void *, PyImport_GetModuleDict, (void))                      \
	PYTHON(void *, PyDict_GetItemString, (void *, const char *))        \
	PYTHON(void *, PySys_GetObject, (const char *))                     \
	PYTHON(void *, PyObject_GetAttrString, (void *, const char *))      \
	PYTHON(long, PyList_Size, (void *))                                 \
	PYTHON(void *, PyList_GetItem, (void *, long))                      \
	PYTHON(int, PyList_Insert, (void *, long, void *))                  \
	PYTHON(void *, PyObject_CallObject, (void *, void *))               \
	PYTHON(void *, PyObject_Call, (void *, void *, void *))             \
	PYTHON(void *, PyList_New, (long))                                  \
	PYTHON(int, PyList_Append, (void *, void *))                        \
	PYTHON(long long, PyLong_AsLongLong, (void *))                      \
	PYTHON(void *, PyLong_FromLong, (long))                             \
	PYTHON(const char *, PyUnicode_AsUTF8, (void *))                    \
	PYTHON(void *, PyErr_Occurred, (void))                              \
	PYTHON(void, Py_IncRef, (void *))                                   \
	PYTHON(void, PyErr_Clear, (void))                                   \
	PYTHON(void, PyErr_Fetch, (void **, void **, void **))              \
	PYTHON(void, PyErr_Restore, (void *, void *, void *))               \
	PYTHON(int, PyThreadState_SetAsyncExc, (unsigned long, void *))     \
	PYTHON(void *, PyGILState_GetThisThreadState, (void))               \
	PYTHON(int, PyGILState_Ensure, (void))                              \
	PYTHON(int, PyGILState_Check, (void))                               \
	PYTHON(void, PyGILState_Release, (int))                             \
	PYTHON(void *, PyEval_SaveThread, (void))                           \
	PYTHON(void, PyEval_RestoreThread, (void *))                        \
	PYTHON(void *, PyInterpreterState_Head, (void))                     \
	PYTHON(void *, PyInterpreterState_Next, (void *))                   \
	PYTHON(void, Py_DecRef, (void *))

struct python_api {
#define PYTHON(returns, name, params) returns(*name) params;
	PYTHON_FUNCTIONS(PYTHON)
#undef PYTHON
	void *none;
	void *(*get_variable)(void *frame, const char *name); /* from 3.12 on; NULL before */
	int (*is_finalizing)(void);			      /* NULL: not to be had */
	const int *is_finishing;			      /* in 3.8 only */
};
extern struct python_api py OURS;

/* Fills py. False: no CPython is running here. */
bool python_find(void);

bool python_is_ending(void);

/* A new reference to None. */
void *python_none(void);

/*
 * Calls a function and returns the number that it returns; 0: none. What it raises is a signal's (the user's Ctrl-C), and stays: nothing
 * more is called then, and our caller returns it.
 */
long long python_call(void *function);

/* What a function returns that has nothing to say: None, or what has been raised meanwhile, which is a signal's. */
void *python_done(void);

/* As PyMethodDef is laid out. */
struct python_method {
	const char *name;
	void *function;
	int flags;
	const char *help;
};
#define PYTHON_VARARGS	1    /* void *f(void *self, void *tuple) */
#define PYTHON_KEYWORDS 2    /* beside VARARGS: void *f(void *self, void *tuple, void *dictionary) */
#define PYTHON_NOARGS	4    /* void *f(void *self, void *unused) */
#define PYTHON_O	8    /* void *f(void *self, void *argument) */
#define PYTHON_FASTCALL 0x80 /* void *f(void *self, void *const *arguments, ssize_t count) */
#define PYTHON_METHOD(name, function, flags)         \
	{                                            \
		name, function, PYTHON_##flags, NULL \
	}

/* Puts each into a dictionary, under its name. False: out of memory. */
bool python_give(void *dictionary, struct python_method *methods, size_t count);
