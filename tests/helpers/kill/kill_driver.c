/*
 * kill_driver ORACLE CALLS [measure] - two threads call the fake runtime until somebody kills us. What was called
 * is written to ORACLE, memory that the test shares: the call's number before it, and after it.
 *
 * Call number s of a thread is a launch of kernel (s / 4) % 3 if 4 divides s, and otherwise a copy of
 * s bytes to the thread's own buffer. Thread 0 also begins a step every CALLS calls.
 */
#include "fake_opencl.h"
#include "kill_points.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define THREADS	  2
#define STEPS	  512
#define GAP_SHARE 4  /* every fourth step is a gap, and so much shorter */
#define BURST	  64 /* calls between two pauses, so that nothing need be dropped */

struct step {
	uint64_t own;	 /* thread 0's calls up to here came before the step */
	uint64_t before; /* thread 1's calls up to here were over before it */
	uint64_t after;	 /* thread 1's calls after this one were entered in it; 0: not known */
};

struct oracle {
	_Atomic uint64_t entered[THREADS], completed[THREADS];
	_Atomic uint64_t begun, done; /* last step whose ranktrace_step() was entered, and left */
	struct kill_plan plan;
	struct step step[STEPS];
};

static struct oracle *oracle;
static void *kernels[3];
static void (*step_call)(int64_t n);
static unsigned int step_calls; /* of thread 0 in a step */

/* ---- steps ---- */

static enum kill_point change_of(uint64_t n)
{
	return n % 4 == 0 ? POINT_CLOSING : n % 4 == 1 ? POINT_OPENING
						       : POINT_STEP;
}

static void change_step(uint64_t n)
{
	if (atomic_load(&oracle->plan.point) == change_of(n))
		kill_after(change_of(n), atomic_load(&oracle->plan.place));
	step_call((int64_t)n);
}

static void begin_step(uint64_t n)
{
	struct step *s = &oracle->step[n];

	s->own = atomic_load(&oracle->completed[0]);
	s->before = atomic_load(&oracle->completed[1]);
	s->after = 0;
	atomic_store(&oracle->begun, n);
	change_step(n);
	atomic_thread_fence(memory_order_seq_cst); /* the new step is seen by all before we look at the other */
	s->after = atomic_load(&oracle->entered[1]);
	atomic_store(&oracle->done, n);
}

/* Thread 0's next step, if it is time. */
static void count_step(uint64_t call)
{
	static uint64_t next = 1, step;

	if (call < next || step + 1 == STEPS)
		return;
	begin_step(++step);
	next = call + (step % 4 ? step_calls : step_calls / GAP_SHARE);
}

static void call_once(unsigned int thread, void *queue, uint64_t s)
{
	size_t size = 256 << (s / 4 % 3);

	if (s % 4 == 0)
		clEnqueueNDRangeKernel(queue, kernels[s / 4 % 3], 1, NULL, &size, NULL, 0, NULL, NULL);
	else
		clEnqueueWriteBuffer(queue, (void *)(uintptr_t)(0x1000 * (thread + 1)), 0, 0, s,
				     s % 4 == 1 ? &oracle : NULL, 0, NULL, NULL);
}

/* How many instructions the changes of each sort take: `closing opening step`. */
static int measure(void)
{
	call_once(0, NULL, 1);
	for (int64_t n = 1; n < 7; n++) {
		if (n >= 4)
			kill_after(POINT_NONE, UINT32_MAX);
		step_call(n);
		if (n >= 4)
			printf("%u\n", kill_not());
		call_once(0, NULL, 1);
	}
	return 0;
}

static void *run(void *argument)
{
	unsigned int thread = (unsigned int)(uintptr_t)argument;
	void *queue = clCreateCommandQueue(NULL, NULL, 0, NULL);

	for (uint64_t s = 1;; s++) {
		if (!thread)
			count_step(s);
		atomic_store(&oracle->entered[thread], s);
		call_once(thread, queue, s);
		atomic_store(&oracle->completed[thread], s);
		if (s % BURST == 0)
			nanosleep(&(struct timespec){ .tv_nsec = 400000 }, NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "forward", "backward", "update" };
	int fd = argc > 2 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
	pthread_t second;

	if (fd < 0 || (oracle = mmap(NULL, sizeof(*oracle), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
		return 2;
	kill_plan = &oracle->plan;
	step_calls = (unsigned int)atoi(argv[2]);
	step_call = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");
	if (!step_call) {
		fprintf(stderr, "the agent is not there\n");
		return 3;
	}
	for (int i = 0; i < 3; i++)
		kernels[i] = clCreateKernel(NULL, names[i], NULL);
	if (argc > 3)
		return measure();
	pthread_create(&second, NULL, run, (void *)1);
	run(NULL);
}
