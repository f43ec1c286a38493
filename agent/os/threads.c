#include "agent/os/threads.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "agent/os/elf.h"
#include "agent/os/signal_context.h"

static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*detach)(pthread_t);
static int (*key_create)(pthread_key_t *, void (*)(void *));
static int (*set_specific)(pthread_key_t, const void *);

static pthread_key_t key;
static _Atomic int key_state; /* 0: none yet, 1: being made, 2: there, 3: not to be had */

static sigset_t before; /* what our thread's maker had blocked */

bool threads_forked;

/* ThreadSanitizer ends a forked child that starts a thread, unless it is told not to. */
static bool would_be_the_end(void)
{
	const char *options = getenv("TSAN_OPTIONS");

	return threads_forked && elf_find("__tsan_init", false) && !(options && strstr(options, "die_after_fork=0"));
}

/* The first definer, so that a sanitizer's own thread functions are used where it is loaded. */
int threads_start(void *(*run)(void *))
{
	sigset_t all;
	pthread_t thread;
	int error;

	if (!create)
		create = elf_find("pthread_create", false);
	if (!detach)
		detach = elf_find("pthread_detach", false);
	if (!create || would_be_the_end())
		return ENOSYS;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before); /* the new thread inherits it */
	error = create(&thread, NULL, run, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!error && detach)
		detach(thread);
	return error;
}

/* SIGXFSZ stays out: a file too large is an error to us, not the end. */
void threads_unblock(void)
{
	sigset_t mask = before;

	sigaddset(&mask, SIGXFSZ);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

/*
 * Without a descriptor: it would be the lowest free one for a moment, and the program may be about to
 * get that. A thread that has ended has no program file any more; the folder has a link a thread, and two.
 */
unsigned int threads_without_first(void)
{
	char path[64], file[8];
	struct statx st;

	snprintf(path, sizeof(path), "/proc/self/task/%d/exe", getpid());
	if (readlink(path, file, sizeof(file)) >= 0 || errno != ENOENT)
		return 0;
	if (statx(AT_FDCWD, "/proc/self/task", 0, STATX_NLINK, &st) || st.stx_nlink < 3)
		return 0;
	return st.stx_nlink - 2;
}

static bool have_key(void (*at_exit)(void *))
{
	int none = 0;

	if (key_state == 2)
		return true;
	if (!__atomic_compare_exchange_n((int *)&key_state, &none, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return key_state == 2;
	key_create = elf_find("pthread_key_create", false);
	set_specific = elf_find("pthread_setspecific", false);
	key_state = key_create && set_specific && !key_create(&key, at_exit) ? 2 : 3;
	return key_state == 2;
}

#define KEYS_AT_HAND 32 /* glibc takes memory for the values of later keys, thread by thread */

/* A ring whose thread never says goodbye is not lost: it is only not handed on. */
bool threads_at_exit(void (*at_exit)(void *))
{
	if (!have_key(at_exit))
		return true;
	if (key >= KEYS_AT_HAND && signal_context_running())
		return false;
	set_specific(key, &key);
	return true;
}
