/* cuda_handler.c LIBRARY [EVERY] - opens and closes a library while a timer's handler launches, wherever the thread is: in the loader mostly. EVERY: us (50). */
#include "tests/programs/cuda_launched.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static char stub[16];
static volatile int handled;

static void launch(int signal)
{
	int saved = errno;

	(void)signal;
	cudaLaunchKernel(stub, (dim3){ 1, 1, 1 }, (dim3){ 1, 1, 1 }, NULL, 0, NULL);
	handled++;
	errno = saved;
}

int main(int argc, char **argv)
{
	const struct sigaction action = { .sa_handler = launch, .sa_flags = SA_RESTART };
	const struct timeval every = { .tv_usec = argc > 2 ? atoi(argv[2]) : 50 };
	const struct itimerval each = { every, every }, never = { { 0, 0 }, { 0, 0 } };

	__cudaRegisterFatBinary(stub);
	__cudaRegisterFunction((void **)stub, stub, stub, "kernel", -1, NULL, NULL, NULL, NULL, NULL);
	launch(0);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &each, NULL);
	for (int i = 0; argc > 1 && i < 3000; i++) {
		void *library = dlopen(argv[1], RTLD_NOW);

		if (!library || dlclose(library))
			return 1;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%s\n", handled > 100 && launched() == handled ? "each launch was one" : "launches are missing");
	return 0;
}
