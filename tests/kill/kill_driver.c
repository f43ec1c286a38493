/*
 * kill_driver ORACLE - two threads call the fake runtime until somebody kills us. What was called
 * is written to ORACLE, memory that the test shares: the call's number before it, and after it.
 *
 * Call number s of a thread is a launch of kernel (s / 4) % 3 if 4 divides s, and otherwise a copy of
 * s bytes to the thread's own buffer. Thread 0 also begins the steps.
 */
#include "fake_opencl.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define THREADS	   2
#define STEPS	   4096
#define STEP_CALLS 6000 /* of thread 0 in a step; every fourth step is a gap, and short */
#define GAP_CALLS  400
#define BURST	   64 /* calls between two pauses, so that nothing need be dropped */

struct step {
	uint64_t own;	 /* thread 0's calls up to here came before the step */
	uint64_t before; /* thread 1's calls up to here were over before it */
	uint64_t after;	 /* thread 1's calls after this one were entered in it; 0: not known */
};

struct oracle {
	_Atomic uint64_t entered[THREADS], completed[THREADS];
	_Atomic uint64_t begun, done; /* last step whose ranktrace_step() was entered, and left */
	uint64_t reserved[2];
	struct step step[STEPS];
};

static struct oracle *oracle;
static void *kernels[3];
static void (*step_call)(int64_t n);

static void begin_step(uint64_t n)
{
	struct step *s = &oracle->step[n];

	s->own = atomic_load(&oracle->completed[0]);
	s->before = atomic_load(&oracle->completed[1]);
	s->after = 0;
	atomic_store(&oracle->begun, n);
	step_call((int64_t)n);
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
	next = call + (step % 4 ? STEP_CALLS : GAP_CALLS);
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
			nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "forward", "backward", "update" };
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
	pthread_t second;

	if (fd < 0 || (oracle = mmap(NULL, sizeof(*oracle), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
		return 2;
	step_call = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");
	if (!step_call) {
		fprintf(stderr, "the agent is not there\n");
		return 3;
	}
	for (int i = 0; i < 3; i++)
		kernels[i] = clCreateKernel(NULL, names[i], NULL);
	pthread_create(&second, NULL, run, (void *)1);
	run(NULL);
}
