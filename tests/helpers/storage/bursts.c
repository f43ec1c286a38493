/*
 * bursts THREADS CALLS END - in step 1 each thread copies 1, 2 ... CALLS bytes, as fast as it can. END: exit; kill (by SIGKILL, the
 * rings as they are); word (step 2 begins, and a word is waited for).
 */
#include "calls.h"
#include "tests/helpers/kill/fake_opencl.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 64

static long count;

static void *copy(void *unused)
{
	static char from[1];

	for (long n = 1; n <= count; n++)
		clEnqueueWriteBuffer(NULL, NULL, 0, 0, (size_t)n, from, 0, NULL, NULL);
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argc > 3 ? atoi(argv[1]) : 0;
	pthread_t all[THREADS];

	if (threads < 1 || threads > THREADS)
		return 2;
	count = atol(argv[2]);
	step(1);
	for (int i = 0; i < threads; i++)
		pthread_create(&all[i], NULL, copy, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	if (!strcmp(argv[3], "kill"))
		kill(getpid(), SIGKILL);
	step(2);
	if (!strcmp(argv[3], "word"))
		wait_for_word("called");
	return 0;
}
