/*
 * rounds.c - a trainer that tells its steps: rounds N... calls ranktrace_step() with each, the i-th (from 0) before 10 + i
 * calls, +N before none; the words from fork to join are a forked child's. rounds threads N: two threads tell steps 1 to N, each before a call, the second one step behind.
 */
#include "tests/lib/steps.h"
#include "tests/lib/told_words.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int clFinish(void *queue);

static void step_of(int64_t n, int calls)
{
	step(n);
	for (int call = 0; call < calls; call++)
		clFinish(NULL);
}

static pthread_barrier_t both;
static int64_t last;

static void *late(void *unused)
{
	for (int64_t n = 1; n <= last; n++) {
		pthread_barrier_wait(&both);
		step_of(n > 1 ? n - 1 : 1, 1);
	}
	return unused;
}

static int two_threads(void)
{
	pthread_t other;

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&other, NULL, late, NULL);
	for (int64_t n = 1; n <= last; n++) {
		pthread_barrier_wait(&both);
		step_of(n, 1);
	}
	return pthread_join(other, NULL);
}

static void tell(char *word, int i)
{
	step_of(atoll(word), *word == '+' ? 0 : 9 + i);
}

int main(int argc, char **argv)
{
	clFinish(NULL);
	if (argc == 3 && !strcmp(argv[1], "threads")) {
		last = atoll(argv[2]);
		return two_threads();
	}
	return tell_words(argc, argv, tell);
}
