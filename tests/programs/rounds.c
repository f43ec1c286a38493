/* rounds.c - a trainer that tells its steps: rounds N... calls ranktrace_step() with each, the i-th (from 0) before 10 + i calls, +N before none. */
#include <stdint.h>
#include <stdlib.h>

void ranktrace_step(int64_t n) __attribute__((weak));
int clFinish(void *queue);

int main(int argc, char **argv)
{
	clFinish(NULL);
	for (int i = 1; i < argc; i++) {
		if (ranktrace_step)
			ranktrace_step(atoll(argv[i]));
		for (int call = 0; call < 9 + i && argv[i][0] != '+'; call++)
			clFinish(NULL);
	}
	return 0;
}
