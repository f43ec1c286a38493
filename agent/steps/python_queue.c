#include "agent/steps/python_queue.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/os/clock.h"
#include "agent/os/elf.h"
#include "agent/os/futex.h"
#include "agent/record/gate.h"
#include "agent/session/guest.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/python_api.h"
#include "agent/steps/python_shim.h"

static void *empty_queue;

void queue_help(void *empty)
{
	py.Py_IncRef(empty);
	empty_queue = empty;
}

static bool launches_later(void)
{
	const struct agent_guest *guest = atomic_load(&agent_guest);

	return guest && guest->launches_later();
}

static void note_unwaited(void)
{
	if (launches_later())
		session_beyond(LIMIT_unwaited_queues, 1);
}

static _Atomic uint32_t inside; /* threads that wait for it: Python's end waits for them, for a while */
static atomic_bool is_open;	/* the door for those that have let the GIL go */

/* With the GIL. */
static void wait(void)
{
	uint64_t begin = clock_now_ns();
	bool waited;

	atomic_fetch_add(&inside, 1);
	waited = python_call(empty_queue) > 0;
	atomic_fetch_sub(&inside, 1);
	if (!waited)
		return;
	atomic_fetch_add_explicit(&session->queue_waits, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&session->queue_wait_ns, clock_now_ns() - begin, memory_order_relaxed);
}

void queue_wait(bool may)
{
	if (!may || !gate_may_record())
		return;
	if (settings.empty_queue)
		wait();
	else
		note_unwaited();
}

/* ---- for ctypes ---- */

/*
 * Between Python and us there is nobody's code but ctypes' or cffi's then, which holds no lock of its own and waits for the GIL next anyway
 * (or has it): to wait for it here hangs nobody. Behind any other code somebody may hold the GIL and wait for what our caller has.
 */
static bool is_python_behind(const void *caller)
{
	static const char *const names[] = { "libffi", "_ctypes", "_cffi_backend" };
	struct elf_object object;

	if (!elf_object_at(caller, &object))
		return false;
	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(elf_name(&object), names[i], strlen(names[i])))
			return true;
	return elf_lookup(&object, "Py_IsInitialized"); /* a Python that has libffi inside */
}

static void *raised[3]; /* what the main thread is to raise, */
static atomic_flag is_raised = ATOMIC_FLAG_INIT;

static int raise_it(void *unused)
{
	(void)unused;
	py.PyErr_Restore(raised[0], raised[1], raised[2]);
	atomic_flag_clear(&is_raised);
	return -1;
}

/* A signal's handler has raised it (the user's Ctrl-C), and ctypes looks for nothing of the kind: it comes right behind the call. */
static void raise_later(void)
{
	void *error[3];

	if (!py.PyErr_Occurred())
		return;
	py.PyErr_Fetch(&error[0], &error[1], &error[2]);
	if (syscall(SYS_gettid) == getpid() && !atomic_flag_test_and_set(&is_raised)) {
		memcpy(raised, error, sizeof(raised));
		py.Py_AddPendingCall(raise_it, NULL);
	} else { /* in this thread, without what it said */
		py.PyThreadState_SetAsyncExc((unsigned long)pthread_self(), error[0]);
		for (unsigned int i = 0; i < 3; i++)
			if (error[i])
				py.Py_DecRef(error[i]);
	}
}

/*
 * Once Python has begun to end, whoever asks for the GIL is ended himself, hangs, or has it made anew from what is gone. So nobody asks for
 * it unless the door is open, and Python does not end before those who ask have it: close_door() is one of its exit functions.
 */
static _Atomic uint32_t asking;
static void *first_interpreter;
#define EXIT_WAIT_NS 200000000ull /* for those who have the GIL and wait for the queue */

/* Where there are subinterpreters, this thread may have the GIL for one of them: nobody but that one may ask for it then. */
static bool enter(void)
{
	atomic_fetch_add(&asking, 1);
	if (atomic_load(&is_open) && py.PyInterpreterState_Head() == first_interpreter && py.PyGILState_GetThisThreadState())
		return true;
	atomic_fetch_sub(&asking, 1);
	return false;
}

static void wait_with_gil(void)
{
	int had, saved = errno;

	had = py.PyGILState_Ensure();
	atomic_fetch_add(&inside, 1); /* before it asks no more */
	atomic_fetch_sub(&asking, 1);
	if (!py.PyErr_Occurred()) {
		wait();
		raise_later();
	}
	atomic_fetch_sub(&inside, 1);
	py.PyGILState_Release(had);
	errno = saved;
}

/* open_door() */
static void *on_open_door(void *self, void *unused)
{
	void *next = py.PyInterpreterState_Head();

	(void)self;
	(void)unused;
	while (next) { /* the newest comes first */
		first_interpreter = next;
		next = py.PyInterpreterState_Next(next);
	}
	atomic_store(&is_open, true);
	return python_none();
}

static void let_them_leave(void)
{
	void *thread = py.PyEval_SaveThread();
	uint64_t until = clock_now_ns() + EXIT_WAIT_NS;
	uint32_t seen;

	while ((seen = atomic_load(&inside)), atomic_load(&asking) || (seen && clock_now_ns() < until))
		futex_wait(&inside, seen, 1);
	py.PyEval_RestoreThread(thread);
}

/* close_door(): as Python ends */
static void *on_close_door(void *self, void *unused)
{
	(void)self;
	(void)unused;
	atomic_store(&is_open, false);
	if (atomic_load(&asking) || atomic_load(&inside))
		let_them_leave();
	return python_none();
}

static struct python_method methods[] = {
	PYTHON_METHOD("open_door", on_open_door, NOARGS),
	PYTHON_METHOD("close_door", on_close_door, NOARGS),
};

bool queue_give(void *dictionary)
{
	return python_give(dictionary, methods, sizeof(methods) / sizeof(*methods));
}

void queue_forget(void)
{
	atomic_store(&asking, 0);
	atomic_store(&inside, 0);
}

void queue_wait_for(const void *caller, bool may)
{
	if (!may || !gate_may_record() || !launches_later())
		return; /* where nobody waits nobody is asked for the GIL */
	if (settings.empty_queue && shim_state() == SHIM_RUNS && !python_is_ending() && is_python_behind(caller) && enter())
		wait_with_gil();
	else
		note_unwaited();
}
