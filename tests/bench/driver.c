/*
 * driver BATCHES PAUSE_MS [THREADS [launch|finish|memory|operator|phases [STEP]]] - calls through the PLT, in batches of 10,000 timed by the
 * calling thread's CPU clock. launch: launches alone; finish: a clFinish() after every 500; memory: buffers
 * made and released, 64 alive at a time; operator: second phases of operators, looked up by dlsym; phases: both phases, and
 * two tensors made for them and destroyed, as one call. With several threads all begin each batch together: none is still to be
 * woken, which takes longer than a batch. With a STEP all of it is in that step.
 *
 * The pauses between batches are not timed: a tight loop calls fifty times as often as the busiest
 * trainer, and whoever writes the events away must have had the time for it.
 * Prints key=value: median, best (CPU ns a call), wall (best calls a second of all threads together, in millions),
 * calls, and the CPU time of the threads that are not the program's.
 */
#include "bench.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCH	10000
#define WARM	3 /* batches that are not timed */
#define ALIVE	64
#define THREADS 64

static struct thread {
	pthread_t id;
	double *cpu; /* ns a call, by batch */
	uint64_t *begin, *end;
	uint64_t all_cpu;
} threads[THREADS];

static int batches, pause_ms, count;
static void (*work)(void);
static pthread_barrier_t done;
static _Atomic int arrived;

static void launch(void)
{
	for (unsigned int i = 0; i < BATCH; i++)
		bench_launch(i);
}

static void finish(void)
{
	for (unsigned int i = 0; i < BATCH; i++) {
		bench_launch(i);
		if (i % 500 == 499)
			clFinish(NULL);
	}
}

static void memory(void)
{
	void *alive[ALIVE] = { NULL };

	for (unsigned int i = 0; i < BATCH / 2 + ALIVE; i++) {
		if (i >= ALIVE)
			clReleaseMemObject(alive[i % ALIVE]);
		if (i < BATCH / 2)
			alive[i % ALIVE] = clCreateBuffer(NULL, 0, 4096u << i % 9, NULL, NULL);
	}
}

typedef int (*operator_fn)(void *workspace, uint64_t size, void *executor, void *stream);
typedef int (*first_fn)(const void *in, const void *out, uint64_t *size, void **executor);
typedef void *(*tensor_fn)(const int64_t *, uint64_t, int, const int64_t *, int64_t, int, const int64_t *, uint64_t, void *);
static operator_fn operators[KERNELS];
static first_fn firsts[KERNELS];
static tensor_fn new_tensor;
static int (*end_tensor)(const void *tensor);

static void find_operators(void)
{
	void *library = dlopen("libopapi.so", RTLD_NOW | RTLD_GLOBAL);
	char name[48];

	for (int i = 0; i < KERNELS; i++) {
		snprintf(name, sizeof(name), "aclnnBench%d", i);
		operators[i] = (operator_fn)dlsym(RTLD_DEFAULT, name);
		snprintf(name, sizeof(name), "aclnnBench%dGetWorkspaceSize", i);
		firsts[i] = (first_fn)dlsym(RTLD_DEFAULT, name);
		if (!library || !operators[i] || !firsts[i])
			exit(3);
	}
	new_tensor = (tensor_fn)dlsym(RTLD_DEFAULT, "aclCreateTensor");
	end_tensor = (int (*)(const void *))dlsym(RTLD_DEFAULT, "aclDestroyTensor");
	if (!new_tensor || !end_tensor)
		exit(3);
}

static void operate(void)
{
	static char workspace, executors[KERNELS];

	for (unsigned int i = 0; i < BATCH; i++)
		operators[i % KERNELS](&workspace, 4096, &executors[i % KERNELS], NULL);
}

static void operate_both(void)
{
	static const int64_t shape[] = { 8, 128, 1024 }, strides[] = { 128 * 1024, 1024, 1 };
	static char workspace, data;

	for (unsigned int i = 0; i < BATCH; i++) {
		void *in = new_tensor(shape, 3, 0, strides, 0, 2, shape, 3, &data), *executor = NULL;
		void *out = new_tensor(shape, 3, 0, strides, 0, 2, shape, 3, &data);
		uint64_t size = 0;

		firsts[i % KERNELS](in, out, &size, &executor);
		operators[i % KERNELS](&workspace, size, executor, NULL);
		end_tensor(in);
		end_tensor(out);
	}
}

static void one_batch(struct thread *t, int i)
{
	uint64_t cpu;

	t->begin[i] = bench_ns(CLOCK_MONOTONIC);
	cpu = bench_ns(CLOCK_THREAD_CPUTIME_ID);
	work();
	t->cpu[i] = (double)(bench_ns(CLOCK_THREAD_CPUTIME_ID) - cpu) / BATCH;
	t->end[i] = bench_ns(CLOCK_MONOTONIC);
}

/* Awake, and on a processor where there are enough. */
static void begin_together(int batch)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < (batch + WARM + 1) * count)
		sched_yield();
}

static void *run(void *arg)
{
	struct thread *t = arg;

	t->cpu = calloc((size_t)batches, sizeof(*t->cpu));
	t->begin = calloc((size_t)batches, sizeof(*t->begin));
	t->end = calloc((size_t)batches, sizeof(*t->end));
	for (int i = -WARM; i < batches; i++) {
		begin_together(i);
		one_batch(t, i < 0 ? 0 : i);
		pthread_barrier_wait(&done);
		usleep((unsigned int)pause_ms * 1000);
	}
	t->all_cpu = bench_ns(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

/* Millions of calls a second, from the first thread's begin to the last one's end. */
static double together_rate(int batch)
{
	uint64_t begin = UINT64_MAX, end = 0;

	for (int i = 0; i < count; i++) {
		begin = threads[i].begin[batch] < begin ? threads[i].begin[batch] : begin;
		end = threads[i].end[batch] > end ? threads[i].end[batch] : end;
	}
	return (double)count * BATCH * 1e3 / (double)(end - begin);
}

static void print(unsigned long long others_ns)
{
	double *cpu = calloc((size_t)(batches * count), sizeof(*cpu)), *rate = calloc((size_t)batches, sizeof(*rate));
	size_t n = 0;

	for (int i = 0; i < batches; i++) {
		rate[i] = together_rate(i);
		for (int k = 0; k < count; k++)
			cpu[n++] = threads[k].cpu[i];
	}
	bench_sort(cpu, n);
	bench_sort(rate, (size_t)batches);
	printf("median=%.2f best=%.2f rate=%.3f best_rate=%.3f calls=%lld others_ns=%llu\n", cpu[n / 2], cpu[0],
	       rate[batches / 2], rate[batches - 1], (long long)(batches + WARM) * BATCH * count, others_ns);
}

/* The first call starts what is preloaded. */
static void begin_step(const char *number)
{
	void (*step)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");

	bench_launch(0);
	if (step)
		step(atoi(number));
}

int main(int argc, char **argv)
{
	const char *word = argc > 4 ? argv[4] : "launch";

	batches = argc > 1 ? atoi(argv[1]) : 30;
	pause_ms = argc > 2 ? atoi(argv[2]) : 25;
	count = argc > 3 ? atoi(argv[3]) : 1;
	if (batches < 1 || count < 1 || count > THREADS)
		return 2;
	work = launch;
	if (!strcmp(word, "finish"))
		work = finish;
	else if (!strcmp(word, "memory"))
		work = memory;
	else if (!strcmp(word, "operator"))
		find_operators(), work = operate;
	else if (!strcmp(word, "phases"))
		find_operators(), work = operate_both;
	if (argc > 5)
		begin_step(argv[5]);
	bench_start();
	pthread_barrier_init(&done, NULL, (unsigned int)count);
	for (int i = 1; i < count; i++)
		pthread_create(&threads[i].id, NULL, run, &threads[i]);
	run(&threads[0]);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i].id, NULL);
	usleep(50000);
	print(bench_others().cpu_ns);
	return 0;
}
