/*
 * limits MODE: a program that needs more of something than most do, all in step 2. Prints what the trace should tell.
 * names: kernels with very long names; threads: many that record at once; queues: made with long lists of properties;
 * strings: more names than shared memory has room for
 */
#include "tests/lib/steps.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int clEnqueueNDRangeKernel(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *, unsigned int,
			   void *const *, void **);
void *clCreateKernel(void *, const char *, int *);
void *clCreateCommandQueueWithProperties(void *, void *, const uint64_t *, int *);
void *fake_kernel(const char *name); /* of the library's own making: no hooked call tells of it */

static void launch(void *kernel)
{
	static char queue[64];
	static const size_t global = 64;

	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

/* No two letters alike for long: what packs too well is taken for an attack by who reads it. */
static char *long_name(char first, size_t length)
{
	char *name = malloc(length + 1);
	uint32_t x = (uint32_t)length;

	for (size_t i = 0; i < length; i++) {
		x = x * 1103515245 + 12345;
		name[i] = i ? (char)('a' + (x >> 16) % 26) : first;
	}
	name[length] = '\0';
	return name;
}

static void names(void)
{
	static const size_t lengths[] = { 1000, 1022, 1023, 1024, 5000, 59000, 60001, 100000, 300000 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		char *told = long_name('a', lengths[i]), *asked = long_name('b', lengths[i]);

		launch(clCreateKernel(NULL, told, NULL));
		launch(fake_kernel(asked));
		printf("%s\n%s\n", told, asked);
	}
}

#define THREADS 1100

static pthread_barrier_t all_launched;

static void *thread(void *kernel)
{
	launch(kernel);
	pthread_barrier_wait(&all_launched);
	return NULL;
}

static void threads(void)
{
	void *kernel = clCreateKernel(NULL, "kernel", NULL);
	static pthread_t list[THREADS];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 << 10);
	pthread_barrier_init(&all_launched, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&list[i], &small, thread, kernel))
			exit(77);
	for (int i = 0; i < THREADS; i++)
		pthread_join(list[i], NULL);
	printf("%d\n", THREADS);
}

static void queues(void)
{
	static uint64_t properties[401];

	for (int i = 0; i < 400; i++)
		properties[i] = 0x4000 + i;
	for (int i = 0; i < 3; i++)
		clCreateCommandQueueWithProperties(NULL, NULL, properties, NULL);
	launch(clCreateKernel(NULL, "kernel", NULL));
}

static void strings(void)
{
	char name[512];

	memset(name, 'n', sizeof(name));
	for (int i = 0; i < 4000; i++) {
		snprintf(name + 480, 32, "_%d", i);
		launch(clCreateKernel(NULL, name, NULL));
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = { { "names", names }, { "threads", threads }, { "queues", queues }, { "strings", strings } };

	step(2);
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc > 1 && !strcmp(argv[1], modes[i].name))
			modes[i].run();
	return 0;
}
