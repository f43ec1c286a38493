/*
 * kill_points.c - the system calls by which the flush thread writes a file, with a place to die before
 * and behind each; and dying so many instructions later, counted one by one by the processor.
 */
#include "kill_points.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct kill_plan *kill_plan;

/* The C library's syscall(): ours below has its name. */
static long (*raw)(long number, ...);

__attribute__((constructor)) static void ready(void)
{
	raw = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

static void die(enum kill_point where)
{
	atomic_store(&kill_plan->killed, where);
	kill(getpid(), SIGKILL);
}

#if defined(__x86_64__)
static enum kill_point point; /* where the thread that runs step by step is */
static uint32_t left, seen;

static void on_instruction(int number)
{
	(void)number;
	if (left != UINT32_MAX && ++seen > left)
		die(point);
	seen += left == UINT32_MAX;
}

void kill_after(enum kill_point where, uint32_t instructions)
{
	struct sigaction action = { .sa_handler = on_instruction };
	sigset_t trap;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	sigaction(SIGTRAP, &action, NULL);
	sigprocmask(SIG_UNBLOCK, &trap, NULL);
	point = where;
	left = instructions;
	seen = 0;
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::
				 : "memory", "cc");
}

uint32_t kill_not(void)
{
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::
				 : "memory", "cc");
	return seen;
}
#else /* nobody counts for us: at once */
void kill_after(enum kill_point where, uint32_t instructions)
{
	if (instructions != UINT32_MAX)
		die(where);
}

uint32_t kill_not(void)
{
	return 1;
}
#endif

/* True: this is the place; behind it the way is counted. */
static bool planned(enum kill_point here)
{
	return kill_plan && atomic_load(&kill_plan->point) == here;
}

static void before(enum kill_point here)
{
	if (planned(here))
		die(here);
}

static void behind(enum kill_point here)
{
	if (planned(here))
		kill_after(here, atomic_load(&kill_plan->place));
}

static bool is_trace(const char *path)
{
	const char *end = path;

	while (*end)
		end++;
	return end - path > 5 && end[-5] == '.' && end[-4] == 'p' && end[-1] == 't';
}

int openat(int folder, const char *path, int flags, ...)
{
	bool ours = flags & O_EXCL && is_trace(path);
	va_list args;
	int mode, fd;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	if (ours)
		before(POINT_OPEN);
	fd = (int)raw(SYS_openat, folder, path, flags, mode);
	if (ours)
		behind(POINT_OPENED);
	return fd;
}

ssize_t writev(int fd, const struct iovec *v, int n)
{
	ssize_t done;

	before(POINT_WRITE);
	if (planned(POINT_TORN)) {
		struct iovec half = { v[1].iov_base, v[1].iov_len / 2 };

		raw(SYS_writev, fd, v, 1);
		raw(SYS_writev, fd, &half, 1);
		die(POINT_TORN);
	}
	done = raw(SYS_writev, fd, v, n);
	behind(POINT_WRITTEN);
	return done;
}

/* The agent's renameat2 comes this way. */
long syscall(long number, ...)
{
	bool is_rename = number == SYS_renameat2;
	long a[6], result;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (is_rename)
		before(POINT_RENAME);
	result = raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (is_rename && kill_plan && !result)
		atomic_fetch_add(&kill_plan->files, 1);
	if (is_rename)
		behind(POINT_RENAMED);
	return result;
}
