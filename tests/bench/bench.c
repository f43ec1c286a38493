#include "bench.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *queue, *kernels[KERNELS];

void bench_start(void)
{
	char name[32];

	queue = clCreateCommandQueue(NULL, NULL, 0, NULL);
	for (int i = 0; i < KERNELS; i++) {
		snprintf(name, sizeof(name), "layer_%d_forward", i);
		kernels[i] = clCreateKernel(NULL, name, NULL);
	}
}

int bench_launch(unsigned int i)
{
	static const size_t global[3] = { 4096, 64, 1 }, local[3] = { 64, 4, 1 };

	return clEnqueueNDRangeKernel(queue, kernels[i % KERNELS], 2, NULL, global, local, 0, NULL, NULL);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void bench_sort(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), by_value);
}

#define BATCH 500

double bench_cost(void (*once)(void), unsigned int batches)
{
	double least = 1e9;

	for (unsigned int i = 0; i < batches; i++) {
		uint64_t begin = bench_ns(CLOCK_MONOTONIC);
		double ns;

		for (unsigned int j = 0; j < BATCH; j++)
			once();
		ns = (double)(bench_ns(CLOCK_MONOTONIC) - begin) / BATCH;
		least = ns < least ? ns : least;
	}
	return least;
}

static FILE *open_task(const char *task, const char *file)
{
	char path[300];

	snprintf(path, sizeof(path), "/proc/self/task/%s/%s", task, file);
	return fopen(path, "r");
}

static void add(struct others *o, const char *task)
{
	FILE *cpu = open_task(task, "schedstat"), *status = open_task(task, "status");
	unsigned long long n;
	char line[200];

	o->count++;
	if (cpu && fscanf(cpu, "%llu", &n) == 1)
		o->cpu_ns += n;
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "voluntary_ctxt_switches: %llu", &n) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %llu", &n) == 1)
			o->switches += n;
	if (cpu)
		fclose(cpu);
	if (status)
		fclose(status);
}

struct others bench_others(void)
{
	struct others o = { 0 };
	DIR *dir = opendir("/proc/self/task");
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (*d->d_name != '.' && atoi(d->d_name) != (int)syscall(SYS_gettid))
			add(&o, d->d_name);
	if (dir)
		closedir(dir);
	return o;
}
