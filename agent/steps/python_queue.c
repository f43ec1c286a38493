#include "agent/steps/python_queue.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/os/clock.h"
#include "agent/os/elf.h"
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

/* With the GIL. */
static void wait(void)
{
	uint64_t begin = clock_now_ns();

	if (python_call(empty_queue) <= 0)
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

static void wait_with_gil(void)
{
	int had, saved = errno;

	had = py.PyGILState_Ensure();
	if (!py.PyErr_Occurred()) {
		wait();
		raise_later();
	}
	py.PyGILState_Release(had);
	errno = saved;
}

void queue_wait_for(const void *caller, bool may)
{
	if (!may || !gate_may_record() || !launches_later())
		return; /* where nobody waits nobody is asked for the GIL */
	if (settings.empty_queue && shim_state() == SHIM_RUNS && !python_is_ending() && py.PyGILState_GetThisThreadState() &&
	    is_python_behind(caller))
		wait_with_gil();
	else
		note_unwaited();
}
