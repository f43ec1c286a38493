/*
 * unwind_operators exception|thread|step PHASE - calls an operator's phase (first, second) often enough that the agent
 * knows it, leaves it by an exception that a callback of the vendor throws or by the end of the thread, and calls it again.
 * Prints what a program can see. step: takes a call step by step, and asks the unwinder at each instruction for the caller.
 */
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <ucontext.h>
#include <unwind.h>

using first_fn = int (*)(int, int, int, int, int, int, int, uint64_t *, void **);
using second_fn = int (*)(void *, uint64_t, void *, void *);
static first_fn first;
static second_fn second;
static void (*calls_back)(void (*)());
static bool of_first;
static int destroyed, calls;

struct Guard {
	~Guard() { destroyed++; }
};

__attribute__((noinline)) static int one_call()
{
	static uint64_t size;
	static void *plan;
	int rc = 0;

	calls++;
	if (of_first || !plan)
		rc = first(1, 2, 3, 4, 5, 6, 7, &size, &plan);
	return of_first || rc ? rc : second(plan, size, plan, nullptr);
}

static void guarded()
{
	Guard guard;
	int rc = one_call();

	if (rc)
		std::printf("answered %d\n", rc);
}

static void throws()
{
	throw std::runtime_error("thrown");
}

static void ends_the_thread()
{
	pthread_exit(nullptr);
}

static void left(void (*how)())
{
	for (int i = 0; i < 3; i++)
		guarded();
	calls_back(how);
	try {
		guarded();
		std::printf("returned\n");
	} catch (const std::exception &e) {
		std::printf("caught %s\n", e.what());
	}
}

static void *in_thread(void *)
{
	left(ends_the_thread);
	return &calls;
}

static void leave_by_thread_end()
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, nullptr, in_thread, nullptr);
	pthread_join(thread, &result);
	std::printf("the thread %s\n", result ? "returned" : "ended");
}

#if defined(__x86_64__)
static volatile long steps, lost;
static void step();
static void stepped();

static _Unwind_Reason_Code look(_Unwind_Context *context, void *found)
{
	void *function = _Unwind_FindEnclosingFunction(reinterpret_cast<void *>(_Unwind_GetIP(context) - 1));

	*static_cast<bool *>(found) = function == reinterpret_cast<void *>(step);
	return *static_cast<bool *>(found) ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* What switches it on and off moves the stack's end without telling. */
static void on_step(int, siginfo_t *, void *context)
{
	uintptr_t ip = static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
	bool found = false;

	if (_Unwind_FindEnclosingFunction(reinterpret_cast<void *>(ip)) == reinterpret_cast<void *>(stepped))
		return;
	_Unwind_Backtrace(look, &found);
	steps = steps + 1;
	lost = lost + !found;
}

__attribute__((noinline)) static void stepped()
{
	__asm__ volatile("pushfq; orl $0x100, (%%rsp); popfq" ::: "cc", "memory");
	one_call();
	__asm__ volatile("pushfq; andl $~0x100, (%%rsp); popfq" ::: "cc", "memory");
}

/* Once the agent has started and knows the operator. */
__attribute__((noinline)) static void step()
{
	struct sigaction action = {};

	action.sa_sigaction = on_step;
	action.sa_flags = SA_SIGINFO;
	for (int i = 0; i < 3; i++)
		guarded();
	sigaction(SIGTRAP, &action, nullptr);
	for (int i = 0; i < 4; i++) {
		steps = lost = 0;
		stepped();
		std::printf("%s, %ld without the caller\n", steps > 20 ? "stepped" : "not stepped", lost);
	}
}
#endif

int main(int argc, char **argv)
{
	void *library = dlopen("libopapi.so", RTLD_NOW | RTLD_GLOBAL);
	const char *how = argc > 1 ? argv[1] : "";

	of_first = argc > 2 && !std::strcmp(argv[2], "first");
	first = reinterpret_cast<first_fn>(dlsym(RTLD_DEFAULT, "aclnnLeftGetWorkspaceSize"));
	second = reinterpret_cast<second_fn>(dlsym(RTLD_DEFAULT, "aclnnLeft"));
	calls_back = reinterpret_cast<void (*)(void (*)())>(dlsym(library, "opapi_calls_back"));
	if (!first || !second || !calls_back)
		return 3;
	if (!std::strcmp(how, "exception"))
		left(throws);
	else if (!std::strcmp(how, "thread"))
		leave_by_thread_end();
#if defined(__x86_64__)
	else
		step();
#endif
	calls_back(nullptr);
	guarded();
	std::printf("destroyed %d of %d\n", destroyed, calls);
	return 0;
}
