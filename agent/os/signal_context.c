#include "agent/os/signal_context.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "agent/base/attributes.h"
#include "agent/os/safe_read.h"
#include "agent/os/sandbox.h"

/*
 * The kernel tells nobody that a handler runs, but leaves a frame on the stack: what was interrupted, to
 * be gone back to. A frame of a handler that is long over may still lie there, under a buffer that nobody
 * has filled: it is told by its signal mask, which is the thread's own again, unless handlers block nothing.
 */

#define SIGNALS	     64
#define DEEPEST	     (256u << 10) /* a handler that calls us stands near the top of the stack */
#define PAGE	     4096u
#define HAS_RESTORER 0x04000000

/* As the kernel writes it, which is not as libc does. */
struct kernel_action {
	uintptr_t handler;
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

/* What the program has arranged, all signals together. */
struct arranged {
	uintptr_t restorer[SIGNALS]; /* where handlers return to: the first word of a frame */
	unsigned int restorers;
	bool handlers;	     /* there is, or was, one */
	bool blocks_nothing; /* there is one that runs with its own signal unblocked */
	uint64_t mask;	     /* of this thread, now */
};

#if defined(__x86_64__)
#define FRAME_STEP 16
#define FRAME_AT   8 /* frames begin at 8 mod 16: as if somebody had called the handler */
#define CONTEXT_AT 8
BARE static bool looks_like_frame(const struct arranged *a, const void *at)
{
	uintptr_t first = *(const uintptr_t *)at;

	for (unsigned int i = 0; i < a->restorers; i++)
		if (first == a->restorer[i])
			return true;
	return false;
}
#elif defined(__aarch64__)
#define FRAME_STEP 16
#define FRAME_AT   0
#define CONTEXT_AT 128 /* behind the siginfo */
BARE static bool looks_like_frame(const struct arranged *a, const void *at)
{
	const ucontext_t *c = (const void *)((const char *)at + CONTEXT_AT);

	(void)a;
	return *(const uint32_t *)c->uc_mcontext.__reserved == FPSIMD_MAGIC;
}
#endif

#define FRAME_SIZE (CONTEXT_AT + sizeof(ucontext_t))

static void add_restorer(struct arranged *a, uintptr_t restorer)
{
	for (unsigned int i = 0; i < a->restorers; i++)
		if (a->restorer[i] == restorer)
			return;
	a->restorer[a->restorers++] = restorer;
}

static bool read_action(long signal, struct kernel_action *action)
{
	*action = (struct kernel_action){ 0 };
	return !syscall(SYS_rt_sigaction, signal, NULL, action, sizeof(action->mask));
}

/* A handler for one time is gone while it runs, but its flags stay: they are what is looked at. */
static void read_arranged(struct arranged *a)
{
	for (long n = 1; n <= SIGNALS; n++) {
		struct kernel_action action;

		if (!read_action(n, &action))
			continue;
		a->handlers |= action.handler > 1 || action.flags;
		a->blocks_nothing |= !!(action.flags & SA_NODEFER);
		if (action.flags & HAS_RESTORER)
			add_restorer(a, action.restorer);
	}
}

BARE static bool is_frame(const struct arranged *a, const void *at)
{
	const ucontext_t *c = (const void *)((const char *)at + CONTEXT_AT);

	return !c->uc_link && (a->blocks_nothing || *(const uint64_t *)&c->uc_sigmask != a->mask);
}

/* Page by page, as far as there is stack. */
BARE static bool find_frame(const struct arranged *a)
{
	uintptr_t at = (uintptr_t)__builtin_frame_address(0), last = at + DEEPEST, checked = at;

	for (at = (at & ~(uintptr_t)(FRAME_STEP - 1)) + FRAME_STEP + FRAME_AT; at < last; at += FRAME_STEP) {
		while (at + FRAME_SIZE > checked) {
			if (!safe_read((const void *)checked, 1))
				return false;
			checked = (checked | (PAGE - 1)) + 1;
		}
		if (looks_like_frame(a, (const void *)at) && is_frame(a, (const void *)at))
			return true;
	}
	return false;
}

bool signal_context_running(void)
{
	struct arranged a = { .mask = 0 };
	int saved = errno;
	bool found;

	if (sandbox_keeps_out())
		return false;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &a.mask, sizeof(a.mask));
	read_arranged(&a);
	/* While a handler runs its signal is blocked, or it asked for that not to be. */
	found = a.handlers && (a.mask || a.blocks_nothing) && find_frame(&a);
	errno = saved;
	return found;
}

/* ---- handlers that block nothing ---- */

/* Where faulthandler's and abseil's handlers stand, which want to be interrupted: they say why the process ends, and make no calls. */
#define FAILURES (1ull << SIGSEGV | 1ull << SIGBUS | 1ull << SIGFPE | 1ull << SIGILL | 1ull << SIGABRT | 1ull << SIGTRAP | 1ull << SIGSYS | 1ull << SIGTERM)

static bool any_blocks_nothing(void)
{
	for (long n = 1; n <= SIGNALS; n++) {
		struct kernel_action action;

		if ((n == SIGNALS || !(FAILURES >> n & 1)) && read_action(n, &action) && action.flags & SA_NODEFER && !action.mask)
			return true;
	}
	return false;
}

bool signal_context_may_block_nothing(void)
{
	static _Atomic int64_t asked_at;
	static _Atomic bool answer;
	struct timespec now;
	int saved = errno;
	int64_t tick;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	tick = now.tv_sec * 1000000000ll + now.tv_nsec;
	if (atomic_load_explicit(&asked_at, memory_order_relaxed) != tick && !sandbox_keeps_out()) {
		atomic_store(&answer, any_blocks_nothing());
		atomic_store(&asked_at, tick);
	}
	errno = saved;
	return atomic_load(&answer);
}
