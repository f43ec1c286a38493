/*
 * suite_guest.c - a guest for somebody else's test suite, LD_PRELOADed with and without the agent. It
 * launches a kernel at load, in every forked child and whenever a semaphore is posted (each release of
 * a Python lock is one), so that processes and threads of a suite that knows no vendor record calls.
 */
#include "tests/kill/fake_opencl.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static int (*real_sem_post)(sem_t *);

static void launch(void)
{
	static char kernel[] = "guest";
	static const size_t size = 64;
	int saved = errno;

	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
	errno = saved;
}

__attribute__((constructor)) static void loaded(void)
{
	real_sem_post = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_post");
	pthread_atfork(NULL, NULL, launch);
	launch();
}

int sem_post(sem_t *sem)
{
	launch();
	return real_sem_post(sem);
}
