/*
 * churn ORACLE LONG SHORT EXIT_US - threads launch while steps change every 200 us: LONG of them all the time, and of SHORT, which
 * come and go, always two. Ends by exit() after EXIT_US, or is killed (0). ORACLE, memory that the test shares, says how many
 * launches were begun, and how many of each step were made while that step surely was the present one.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include "tests/lib/steps.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define STEPS 8192

static struct oracle {
	_Atomic uint64_t begun;
	_Atomic uint32_t sure[STEPS];
} * oracle;

static _Atomic int64_t present; /* step; 0: it is changing */
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static void *kernels[8];
static long exit_us;

static void pause_ns(long ns)
{
	nanosleep(&(struct timespec){ ns / 1000000000, ns % 1000000000 }, NULL);
}

static void launch(long i)
{
	static const size_t size = 64;
	int64_t before = atomic_load(&present);

	atomic_fetch_add(&oracle->begun, 1);
	clEnqueueNDRangeKernel(NULL, kernels[i % 8], 1, NULL, &size, NULL, 0, NULL, NULL);
	if (before && before == atomic_load(&present))
		atomic_fetch_add(&oracle->sure[before], 1);
}

static void launches(long n)
{
	for (long i = 0; i < n; i++) {
		launch(i);
		if (i % 16 == 0)
			pause_ns(1000);
	}
}

static void *live_long(void *unused)
{
	for (;;)
		launches(1000);
	return unused;
}

static void *live_shortly(void *unused)
{
	launches(150);
	return unused;
}

static void *change_steps(void *unused)
{
	for (int64_t n = 1; n < STEPS; n++) {
		pthread_mutex_lock(&changing);
		atomic_store(&present, 0);
		step(n);
		atomic_store(&present, n);
		pthread_mutex_unlock(&changing);
		pause_ns(200000);
	}
	pause();
	return unused;
}

/* The step stays as it is from a moment before on, also where its change took long. */
static void *end(void *unused)
{
	pause_ns(exit_us * 1000);
	pthread_mutex_lock(&changing); /* for good */
	pause_ns(2000000);
	atomic_store(&present, 0);
	exit(0);
	return unused;
}

static void start(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, NULL))
		abort();
}

int main(int argc, char **argv)
{
	int fd = argc > 4 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1, n_short = fd < 0 ? 0 : atoi(argv[3]);
	char name[16];

	if (fd < 0 || ftruncate(fd, sizeof(*oracle)))
		return 2;
	oracle = mmap(NULL, sizeof(*oracle), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	exit_us = atol(argv[4]);
	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "k%d", i);
		kernels[i] = clCreateKernel(NULL, name, NULL);
	}
	if (exit_us)
		start(end);
	start(change_steps);
	for (int i = atoi(argv[2]); i; i--)
		start(live_long);
	while (n_short) {
		pthread_t two[2];

		for (int i = 0; i < 2; i++)
			pthread_create(&two[i], NULL, live_shortly, NULL);
		for (int i = 0; i < 2; i++)
			pthread_join(two[i], NULL);
	}
	pause();
	return 0;
}
