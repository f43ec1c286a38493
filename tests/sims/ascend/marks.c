/*
 * marks.c - THREADS threads that set MARKS marks each, by the exported functions, or (inline) as the header of mstx
 * does it. They rest now and then: no buffer takes millions of events a second for long.
 */
#include "tests/sims/ascend/abi.h"
#include "tests/sims/ascend/mstx.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void mstxMarkA(const char *message, aclrtStream stream);

static int marks;
static void (*mark)(const char *, aclrtStream);

static void mark_inline(const char *message, aclrtStream stream)
{
	void (*slot)(const char *, aclrtStream) = (void (*)(const char *, aclrtStream))mstx_slot(MSTX_CORE, MSTX_MARK);

	if (slot)
		slot(message, stream);
}

static void *run(void *number)
{
	char text[32];

	snprintf(text, sizeof(text), "thread %d", (int)(intptr_t)number);
	for (int i = 0; i < marks; i++) {
		mark(text, NULL);
		if (i % 100 == 99)
			usleep(2000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;
	pthread_t threads[64];

	marks = n ? atoi(argv[2]) : 0;
	mark = argc > 3 && !strcmp(argv[3], "inline") ? mark_inline : mstxMarkA;
	if (n < 1 || n > 64)
		return 2;
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", n * marks);
	return 0;
}
