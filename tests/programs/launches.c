/*
 * launches - launches that are like the one before, and unlike it in every way that there is: sizes,
 * dimensions, no local sizes, no sizes at all, another queue, a refused call, sizes that need 64 bits, a
 * handle that is another kernel now, more kernels than any table of recent ones holds, two threads, a
 * signal handler, a child. Prints what must be recorded, a line a launch, in order, thread by thread:
 *   process thread step kernel global local queue result
 * Queues have numbers in the order in which they were made. Runs of kernels called adam_* end steps. On
 * stdout: how many launches the signal handler made, which are not in the list.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int clEnqueueNDRangeKernel(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *,
			   unsigned int, void *const *, void **);
void *clCreateKernel(void *, const char *, int *);
void *clCreateCommandQueue(void *, void *, uint64_t, int *);
int clReleaseKernel(void *);
int clReleaseCommandQueue(void *);

struct kernel {
	void *handle;
	char name[32];
};
struct queue {
	void *handle;
	int number;
};

static int queues_made;
static __thread unsigned int seed;
static int step = 1, in_run;
static FILE *out;

static unsigned int pick(unsigned int n)
{
	return (unsigned int)rand_r(&seed) % n;
}

static struct queue new_queue(void)
{
	return (struct queue){ clCreateCommandQueue(NULL, NULL, 0, NULL), ++queues_made };
}

static struct kernel new_kernel(const char *format, int number)
{
	struct kernel k;

	snprintf(k.name, sizeof(k.name), format, number);
	k.handle = clCreateKernel(NULL, k.name, NULL);
	return k;
}

static void tell(const char *name, unsigned int dims, const size_t *global, const size_t *local, int queue, int rc)
{
	flockfile(out);
	fprintf(out, "%d %ld %d %s ", getpid(), syscall(SYS_gettid), step, name);
	if (rc || !global)
		dims = 0;
	for (unsigned int i = 0; i < dims; i++)
		fprintf(out, "%s%zu", i ? "x" : "", global[i]);
	fputs(dims ? " " : "- ", out);
	for (unsigned int i = 0; i < dims && local; i++)
		fprintf(out, "%s%zu", i ? "x" : "", local[i]);
	fprintf(out, "%s %d %d\n", dims && local ? "" : "-", queue, rc);
	funlockfile(out);
}

static void launch(const struct kernel *k, const struct queue *q, unsigned int dims, const size_t *global,
		   const size_t *local)
{
	int matches = !strncmp(k->name, "adam_", 5), rc;

	if (in_run != matches) {
		step += in_run;
		in_run = matches;
	}
	rc = clEnqueueNDRangeKernel(q->handle, k->handle, dims, NULL, global, local, 0, NULL, NULL);
	tell(k->name, dims, global, local, q->number, rc);
}

/* Sizes of a few sorts; now and then none, or such as do not fit into less than 64 bits. */
static void any_launch(const struct kernel *k, const struct queue *q)
{
	static const size_t few[] = { 1, 64, 64, 32767, 32768, 65535, 65536, 4294967295u, 4294967296u, 1ull << 40 };
	size_t global[3], local[3];
	unsigned int dims = 1 + pick(3);

	for (int i = 0; i < 3; i++) {
		global[i] = few[pick(10)];
		local[i] = few[pick(7)];
	}
	switch (pick(12)) {
	case 0: launch(k, q, dims, NULL, local); break;
	case 1: launch(k, q, 7, global, local); break;
	case 2:
	case 3: launch(k, q, dims, global, NULL); break;
	default: launch(k, q, dims, global, local);
	}
	if (pick(2))
		launch(k, q, dims, global, pick(4) ? local : NULL);
}

/* One size after the other, often the same. */
static void mixture(struct kernel *kernels, int n, const struct queue *queues, int turns)
{
	static const size_t global[2] = { 4096, 64 }, local[2] = { 64, 4 };

	for (int i = 0; i < turns; i++) {
		struct kernel *k = &kernels[pick((unsigned int)n)];

		if (pick(3))
			launch(k, &queues[0], 2, global, local);
		else
			any_launch(k, &queues[pick(2)]);
	}
}

/* The runtime gives the same handle to the next kernel: its name is another. Queues likewise. */
static void handles_used_again(struct kernel *kernels, struct queue *queues)
{
	for (int i = 0; i < 50; i++) {
		mixture(kernels, 3, queues, 4);
		clReleaseKernel(kernels[1].handle);
		kernels[1] = new_kernel("again_%d", i);
		if (i % 10 == 9) {
			clReleaseCommandQueue(queues[1].handle);
			queues[1] = new_queue();
		}
	}
}

static void many_kernels(const struct queue *queue)
{
	static struct kernel kernels[1100];
	static const size_t global[1] = { 32 };

	for (int i = 0; i < 1100; i++)
		kernels[i] = new_kernel("many_%d", i);
	for (int turn = 0; turn < 3; turn++)
		for (int i = 0; i < 1100; i++)
			launch(&kernels[i], queue, 1, global, global);
}

/* A run of matching launches ends a step at the first other launch. */
static void steps(const struct queue *queue, int turns)
{
	static const size_t size[1] = { 8 };
	struct kernel adam = new_kernel("adam_%d", 0), other = new_kernel("other_%d", 0);

	for (int i = 0; i < turns; i++)
		launch(pick(4) ? &other : &adam, queue, 1, size, size);
}

static struct queue shared;

static void *thread(void *kernels)
{
	struct queue two[2] = { shared, shared };

	seed = 7;
	mixture(kernels, 2, two, 300);
	return NULL;
}

static void two_threads(void)
{
	struct kernel kernels[2][2];
	pthread_t threads[2];

	for (int i = 0; i < 4; i++)
		kernels[i / 2][i % 2] = new_kernel("thread_%d", i);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, kernels[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static struct kernel of_handler;
static volatile sig_atomic_t interruptions;

/* May interrupt any place; what it launches is of sizes that nobody else uses. */
static void interrupted(int sig)
{
	static const size_t size[1] = { 77 };

	(void)sig;
	clEnqueueNDRangeKernel(shared.handle, of_handler.handle, 1, NULL, size, size, 0, NULL, NULL);
	interruptions++;
}

static void with_signals(struct kernel *kernels, struct queue *queues)
{
	struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };

	of_handler = new_kernel("handler_%d", 0);
	signal(SIGALRM, interrupted);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 40; i++) {
		mixture(kernels, 3, queues, 30);
		clReleaseKernel(kernels[1].handle);
		kernels[1] = new_kernel("signal_%d", i);
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

int main(int argc, char **argv)
{
	struct queue queues[2];
	struct kernel kernels[3];
	pid_t child;

	out = fopen(argv[1], "a");
	setvbuf(out, NULL, _IOLBF, 0);
	seed = argc > 2 ? (unsigned int)atoi(argv[2]) : 1;
	for (int i = 0; i < 2; i++)
		queues[i] = new_queue();
	shared = queues[0];
	for (int i = 0; i < 3; i++)
		kernels[i] = new_kernel("first_%d", i);
	steps(&queues[0], 200);
	mixture(kernels, 3, queues, 500);
	handles_used_again(kernels, queues);
	many_kernels(&queues[0]);
	two_threads();
	with_signals(kernels, queues);
	fflush(out);
	child = fork();
	if (!child)
		step = 1;
	mixture(kernels, 3, queues, 100);
	fclose(out);
	if (child) {
		waitpid(child, NULL, 0);
		printf("%d\n", (int)interruptions);
	}
	return child < 0;
}
