/* calls.c - calls that a fake library counts, with arguments that are the same for every run. */
#include "calls.h"
#include "tests/helpers/kill/fake_opencl.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static _Thread_local uint64_t state = 88172645463325252ull;

void calls_seed(uint64_t number)
{
	state += number;
}

static uint64_t noise(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

uint64_t sum;

void calls(int n)
{
	for (int i = 0; i < n; i++) {
		uint64_t size = noise() >> 16;

		errno = 77;
		clEnqueueWriteBuffer(NULL, (void *)(uintptr_t)(noise() >> 20), 0, 0, size, &sum, 0, NULL, NULL);
		__atomic_fetch_add(&sum, size + (errno == 77 ? 0 : 1), __ATOMIC_RELAXED);
	}
}

void wait_for_word(const char *what)
{
	char byte;

	printf("%s\n", what);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		;
}
