/* threads.c - threads that call all at once, stay inside a call, leave one by a jump, or call after everybody else's end. */
#include "threads.h"
#include "calls.h"
#include "tests/helpers/kill/fake_opencl.h"
#include <fcntl.h>
#include <pthread.h>
#include <limits.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The test looks for the thread by this number. */
static void tell_tid(const char *file)
{
	FILE *f = fopen(file, "w");

	fprintf(f, "%d\n", (int)syscall(SYS_gettid));
	fclose(f);
}

static pthread_barrier_t barrier;
static FILE *threads_file; /* what each of them called */

static void *overflow_thread(void *number)
{
	uint64_t n = 40000 + 10000 * (uint64_t)(uintptr_t)number;

	calls_seed((uintptr_t)number);
	calls((int)n);
	fprintf(threads_file, "%d %llu\n", (int)syscall(SYS_gettid), (unsigned long long)n);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* until the disk goes on: no ring is handed on before */
	return NULL;
}

static void open_gate(void)
{
	int gate = open("gate", O_RDWR | O_CLOEXEC);

	if (gate < 0 || write(gate, "\n", 1) != 1)
		_exit(84);
	close(gate);
}

/* The disk stands still before a thread's first call: what it loses its ring alone decides. */
int overflow(void)
{
	pthread_t threads[4];

	calls(1000);
	wait_for_word("called");
	threads_file = fopen("threads", "w");
	pthread_barrier_init(&barrier, NULL, 5);
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, overflow_thread, (void *)i);
	pthread_barrier_wait(&barrier);
	open_gate();
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return fclose(threads_file) ? 83 : 0;
}

static void *finish_thread(void *unused)
{
	tell_tid("hang.tid");
	calls(100);
	clFinish(NULL);
	calls(100);
	return unused;
}

static void *launch_thread(void *unused)
{
	size_t size = 64;

	tell_tid("hang.tid");
	calls(100);
	clEnqueueNDRangeKernel(NULL, clCreateKernel(NULL, "stuck", NULL), 1, NULL, &size, NULL, 0, NULL, NULL);
	calls(100);
	return unused;
}

static int hang_in(void *(*run)(void *))
{
	pthread_t thread;

	step(1);
	calls(100);
	step(2);
	calls(100);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	calls(100);
	return 0;
}

int hang_in_finish(void)
{
	return hang_in(finish_thread);
}

int hang_in_launch(void)
{
	return hang_in(launch_thread);
}

static pthread_barrier_t inside;

static void stay(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&inside);
	for (;;)
		pause();
}

static void *stay_thread(void *unused)
{
	tell_tid("stay.tid");
	calls(100);
	clEnqueueNativeKernel(NULL, stay, NULL, 0, 0, NULL, NULL, 0, NULL, NULL);
	return unused;
}

/* Ends while a thread is inside a call. */
int unfinished(void)
{
	pthread_t thread;

	pthread_barrier_init(&inside, NULL, 2);
	calls(100);
	pthread_create(&thread, NULL, stay_thread, NULL);
	pthread_barrier_wait(&inside);
	return 0;
}

static jmp_buf out_of_the_call;

static void jump(void *unused)
{
	(void)unused;
	longjmp(out_of_the_call, 1);
}

/* Leaves a call without its return, and ends. */
static void *jump_thread(void *unused)
{
	calls(100);
	if (!setjmp(out_of_the_call))
		clEnqueueNativeKernel(NULL, jump, NULL, 0, 0, NULL, NULL, 0, NULL, NULL);
	return unused;
}

int jumped(void)
{
	pthread_t thread;

	calls(100);
	pthread_create(&thread, NULL, jump_thread, NULL);
	pthread_join(thread, NULL);
	wait_for_word("called");
	calls(100);
	return 0;
}

static pthread_key_t late;

/* As often as there are rounds of them: the last time after everybody else's. */
static void call_late(void *rounds)
{
	calls(5);
	if ((intptr_t)rounds > 1)
		pthread_setspecific(late, (void *)((intptr_t)rounds - 1));
}

static void *ends_late(void *unused)
{
	pthread_setspecific(late, (void *)(intptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
	calls(5);
	return unused;
}

int late_destructors(void)
{
	pthread_t thread;

	calls(5); /* our key is older */
	pthread_key_create(&late, call_late);
	for (int i = 0; i < 300; i++) {
		pthread_create(&thread, NULL, ends_late, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}
