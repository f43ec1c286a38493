#include "agent/os/apart.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/os/pages.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STACK	    (4u << 20)
#define FIRST_TAKEN 3 /* a sanitizer tells what it found by standard error */
#else
#define STACK	    (256u << 10)
#define FIRST_TAKEN 0
#endif
#define STANDARD_FDS  3		/* nobody's output may land in a file of ours */
#define TABLE_AT_MOST (1 << 16) /* where /proc does not tell what is open */
#define CLOSE_RANGE   436
#define UNSHARE	      2u

/* In the order in which they are tried. */
enum way { NEW_TABLE,	 /* close_range(), since Linux 5.9 */
	   COPIED_TABLE, /* costs as much as there is open, twice */
	   SHARED_TABLE };

#define AT_ONCE 64 /* more do it themselves */

static _Atomic enum way way;
static _Atomic bool proven;	  /* it is not for lack of memory or threads, which may pass */
static _Atomic int busy[AT_ONCE]; /* threads that have left the program's table; 0: none */

struct errand {
	void (*work)(void *argument);
	void *argument;
	enum way way;
	bool refused;
	_Atomic int thread; /* 0: it has ended */
};

static _Atomic int *place_of(int thread)
{
	for (unsigned int i = 0; i < AT_ONCE; i++)
		if (atomic_load(&busy[i]) == thread)
			return &busy[i];
	return NULL;
}

bool apart_here(void)
{
	return place_of((int)syscall(SYS_gettid));
}

void apart_forget(void)
{
	for (unsigned int i = 0; i < AT_ONCE; i++)
		atomic_store(&busy[i], 0);
}

const char *apart_way(void)
{
	static const char *const words[] = { "own", "copied", "shared" };

	return words[atomic_load(&way)];
}

/* ---- the table ---- */

static void close_listed(int folder)
{
	struct entry {
		uint64_t inode, offset;
		unsigned short length;
		unsigned char type;
		char name[];
	};
	_Alignas(struct entry) char buffer[4096];
	long n;

	while ((n = syscall(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0) {
		for (long at = 0; at < n; at += ((const struct entry *)(buffer + at))->length) {
			const char *name = ((const struct entry *)(buffer + at))->name;
			int fd = *name >= '0' && *name <= '9' ? atoi(name) : -1;

			if (fd >= FIRST_TAKEN && fd != folder)
				close(fd);
		}
	}
}

static void close_copies(void)
{
	int folder;

	if (!syscall(CLOSE_RANGE, FIRST_TAKEN, ~0u, 0u))
		return;
	folder = open("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0)
		close_listed(folder);
	for (int fd = FIRST_TAKEN; folder < 0 && fd < TABLE_AT_MOST; fd++)
		close(fd);
	if (folder >= 0)
		close(folder);
}

static void fill_standard(void)
{
	int fd;

	do
		fd = open("/", O_PATH | O_CLOEXEC);
	while (fd >= 0 && fd < STANDARD_FDS - 1);
	if (fd >= STANDARD_FDS)
		close(fd);
}

/* False: it still has the program's. */
static bool leave_table(enum way w)
{
	if (w == NEW_TABLE && syscall(CLOSE_RANGE, FIRST_TAKEN, ~0u, UNSHARE))
		return false;
	if (w == COPIED_TABLE)
		close_copies();
	fill_standard();
	return true;
}

/* ---- the thread ---- */

static _Atomic int *take_place(void)
{
	int thread = (int)syscall(SYS_gettid);

	for (unsigned int i = 0; i < AT_ONCE; i++) {
		int none = 0;

		if (atomic_compare_exchange_strong(&busy[i], &none, thread))
			return &busy[i];
	}
	return NULL;
}

static int run(void *errand)
{
	struct errand *e = errand;

	_Atomic int *place = take_place();

	e->refused = !place || !leave_table(e->way);
	if (!e->refused)
		e->work(e->argument);
	if (place)
		atomic_store(place, 0);
	return 0;
}

/* The one that waits has lent its thread-local data: it touches none, errno least of all. */
BARE static void wait_for(_Atomic int *thread, int seen)
{
#if defined(__x86_64__)
	register long timeout __asm__("r10") = 0;
	long number = SYS_futex;

	__asm__ volatile("syscall"
			 : "+a"(number)
			 : "D"(thread), "S"(FUTEX_WAIT), "d"(seen), "r"(timeout)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long word __asm__("x0") = (long)thread;
	register long operation __asm__("x1") = FUTEX_WAIT, value __asm__("x2") = seen, timeout __asm__("x3") = 0;
	register long number __asm__("x8") = SYS_futex;

	__asm__ volatile("svc 0"
			 : "+r"(word)
			 : "r"(operation), "r"(value), "r"(timeout), "r"(number)
			 : "memory");
#else
#error "how does a system call look here?"
#endif
}

BARE static void wait_for_end(struct errand *e)
{
	int thread;

	while ((thread = __atomic_load_n((int *)&e->thread, __ATOMIC_ACQUIRE)))
		wait_for(&e->thread, thread);
}

#define LOOKS 10000

/* A program may need to be alone, for namespaces of its own: until nobody can see the thread any more, or so often. */
static void wait_until_gone(int thread)
{
	for (int i = 0; i < LOOKS && !syscall(SYS_tgkill, getpid(), thread, 0); i++)
		sched_yield();
}

/*
 * clone(2) for a thread that runs the errand and ends. Not by libc's function of that name, which a sanitizer takes for a
 * fork: both sides would settle in the same thread-local data what is settled once.
 */
BARE static int start(struct errand *e, char *stack, unsigned long flags)
{
#if defined(__x86_64__)
	register _Atomic int *child_thread __asm__("r10") = &e->thread;
	register unsigned long no_tls __asm__("r8") = 0;
	register int (*function)(void *) __asm__("r12") = run;
	register struct errand *errand __asm__("r13") = e;
	long thread = SYS_clone;

	__asm__ volatile("syscall\n\t"
			 "testq %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xorl %%ebp, %%ebp\n\t"
			 "movq %%r13, %%rdi\n\t"
			 "callq *%%r12\n\t"
			 "xorl %%edi, %%edi\n\t"
			 "movl %[exit], %%eax\n\t"
			 "syscall\n\t"
			 "ud2\n"
			 "1:"
			 : "+a"(thread)
			 : "D"(flags), "S"(stack), "d"(&e->thread), "r"(child_thread), "r"(no_tls), "r"(function), "r"(errand), [exit] "i"(SYS_exit)
			 : "rcx", "r11", "memory");
	return (int)thread;
#elif defined(__aarch64__)
	register long thread __asm__("x0") = (long)flags;
	register char *top __asm__("x1") = stack;
	register _Atomic int *parent_thread __asm__("x2") = &e->thread;
	register unsigned long no_tls __asm__("x3") = 0;
	register _Atomic int *child_thread __asm__("x4") = &e->thread;
	register long number __asm__("x8") = SYS_clone;
	register int (*function)(void *) __asm__("x19") = run;
	register struct errand *errand __asm__("x20") = e;

	__asm__ volatile("svc 0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, xzr\n\t"
			 "mov x0, x20\n\t"
			 "blr x19\n\t"
			 "mov x0, xzr\n\t"
			 "mov x8, %[exit]\n\t"
			 "svc 0\n\t"
			 "brk #0\n"
			 "1:"
			 : "+r"(thread)
			 : "r"(top), "r"(parent_thread), "r"(no_tls), "r"(child_thread), "r"(number), "r"(function), "r"(errand), [exit] "i"(SYS_exit)
			 : "memory");
	return (int)thread;
#endif
}

/* False: there is no such thread to be had, or not with such a table. */
BARE static bool start_and_wait(struct errand *e, char *stack)
{
	unsigned long flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID |
			      (e->way == NEW_TABLE ? CLONE_FILES : 0);
	int thread = start(e, stack + STACK, flags);

	if (thread < 0)
		return false;
	wait_for_end(e);
	wait_until_gone(thread);
	return !e->refused;
}

static bool run_some_way(struct errand *e)
{
	char *stack = pages_take(STACK);
	bool done = false;

	if (!stack)
		return false;
	for (e->way = atomic_load(&way); !done && e->way < SHARED_TABLE; e->way += !done)
		done = start_and_wait(e, stack);
	pages_give(stack, STACK);
	if (done || !atomic_load(&proven))
		atomic_store(&way, e->way);
	if (done)
		atomic_store(&proven, true);
	return done;
}

void apart_run(void (*work)(void *argument), void *argument)
{
	struct errand e = { .work = work, .argument = argument };
	sigset_t all, before;
	int saved = errno;
	bool done;

	if (apart_here()) {
		work(argument);
		return;
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before); /* the thread inherits it: no handler of the program's runs there */
	done = run_some_way(&e);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!done)
		work(argument);
	errno = saved;
}
