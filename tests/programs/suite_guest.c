/*
 * suite_guest.c - a guest for somebody else's test suite, LD_PRELOADed with and without the agent. It
 * launches a kernel at load, in every forked child and whenever a semaphore is posted (each release of
 * a Python lock is one), so that processes and threads of a suite that knows no vendor record calls.
 * Programs that are executed from there call too where GUEST_CHILDREN is set.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

static int (*real_sem_post)(sem_t *);
static bool silent;

static void launch(void)
{
	static char kernel[] = "guest";
	static const size_t size = 64;
	int saved = errno;

	if (silent)
		return;
	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
	errno = saved;
}

__attribute__((constructor)) static void loaded(void)
{
	real_sem_post = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_post");
	silent = getenv("GUEST_THERE") && !getenv("GUEST_CHILDREN");
	setenv("GUEST_THERE", "1", 1);
	pthread_atfork(NULL, NULL, launch);
	launch();
}

int sem_post(sem_t *sem)
{
	launch();
	return real_sem_post(sem);
}
