/*
 * last_thread CASE - programs that end with their last thread instead of by exit(). Prints what its
 * exit handler saw, so that a run without us can be compared.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include "agent/ranktrace.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CHILD_STACK
#define CHILD_STACK (1 << 14)
#endif

static pthread_barrier_t barrier;

static void calls(int n)
{
	static const size_t size = 64;
	static char kernel[] = "last";

	for (int i = 0; i < n; i++)
		clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static void at_exit(void)
{
	calls(5);
	puts("the exit handler ran");
}

static void *call_later(void *n)
{
	pthread_barrier_wait(&barrier);
	usleep(100000); /* the first thread is gone by now, or nearly: either way is one to end well */
	calls((int)(intptr_t)n);
	return NULL;
}

/* All at once, so that each needs a ring of its own. */
static void *call_together(void *n)
{
	pthread_barrier_wait(&barrier);
	calls((int)(intptr_t)n);
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* The first thread leaves, another calls on and is the last. */
static void main_leaves(int first, int last)
{
	pthread_t thread;

	atexit(at_exit);
	pthread_barrier_init(&barrier, NULL, 2);
	calls(first);
	pthread_create(&thread, NULL, call_later, (void *)(intptr_t)last);
	pthread_barrier_wait(&barrier);
	pthread_exit(NULL);
}

/* Step 2 alone is recorded: when the threads leave, our thread sleeps without a limit. */
static void main_leaves_between_windows(void)
{
	ranktrace_begin_step(1);
	calls(10);
	ranktrace_begin_step(2);
	calls(100);
	ranktrace_begin_step(3);
	main_leaves(7, 7);
}

/* Step 2 alone is recorded, by a thread that ends before the first one, which has called before it. */
static void *record_step_2(void *unused)
{
	ranktrace_begin_step(2);
	calls(100);
	ranktrace_begin_step(3);
	return unused;
}

static void main_calls_outside(void)
{
	pthread_t thread;

	ranktrace_begin_step(1);
	calls(10);
	pthread_create(&thread, NULL, record_step_2, NULL);
	pthread_join(thread, NULL);
	usleep(300000); /* our thread sleeps by now, or nearly: either way is one to end well */
	pthread_exit(NULL);
}

static int child_calls;

/* In the child this thread is the only one, and leaves by the end of its function. */
static void *fork_here(void *unused)
{
	pid_t child;
	int status;

	calls(100);
	child = fork();
	if (!child) {
		calls(child_calls);
		return unused;
	}
	waitpid(child, &status, 0);
	printf("the child ended with %d\n", status);
	return NULL;
}

/* No exit(), no handler of it: the process ends with what its only thread ends with. */
static int end_by_a_system_call(void *status)
{
	calls(100);
	syscall(SYS_exit, (int)(intptr_t)status);
	return 0;
}

static void main_ends_by_a_system_call(void)
{
	end_by_a_system_call((void *)7);
}

static void child_of_clone(void)
{
	static _Alignas(64) char stack[CHILD_STACK]; /* what is done for the process at its first call is done on it, too */
	int status = -1;
	pid_t child;

	calls(50);
	child = clone(end_by_a_system_call, stack + sizeof(stack), SIGCHLD, (void *)9);
	waitpid(child, &status, 0);
	printf("the child ended with %d\n", status);
	fflush(stdout);
}

static void thread_forks(void)
{
	pthread_t thread;

	calls(50);
	pthread_create(&thread, NULL, fork_here, NULL);
	pthread_join(thread, NULL);
}

/* The child's thread leaves while the parent's goes on with the ring that both know. */
static void *fork_and_go_on(void *unused)
{
	pthread_t threads[8];
	pid_t child;

	calls(100);
	child = fork();
	if (!child)
		return unused;
	waitpid(child, NULL, 0);
	pthread_barrier_init(&barrier, NULL, 9);
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, call_together, (void *)20000);
	call_together((void *)20000);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return NULL;
}

static void child_leaves_silently(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, fork_and_go_on, NULL);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(name, "main_leaves"))
		main_leaves(1000, 1000);
	else if (!strcmp(name, "main_leaves_uncalled"))
		main_leaves(0, 1000);
	else if (!strcmp(name, "between_windows"))
		main_leaves_between_windows();
	else if (!strcmp(name, "main_calls_outside"))
		main_calls_outside();
	else if (!strcmp(name, "thread_forks"))
		child_calls = 30, thread_forks();
	else if (!strcmp(name, "child_leaves_silently"))
		child_leaves_silently();
	else if (!strcmp(name, "main_ends_by_a_system_call"))
		main_ends_by_a_system_call();
	else if (!strcmp(name, "child_of_clone"))
		child_of_clone();
	else
		return 98;
	return 0;
}
