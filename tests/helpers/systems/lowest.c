/*
 * lowest - while it is recorded, every open() is to give the lowest free descriptor, as programs expect
 * that close their standard input and open another. Begins once the agent has its file open.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_file(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

int main(void)
{
	static char kernel[] = "lowest";
	static const size_t size = 64;
	double begin = seconds();
	long wrong = 0;

	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
	while (!is_file(700))
		if (seconds() - begin > 60)
			return puts("no file"), 1;
	close(0);
	for (begin = seconds(); seconds() - begin < 1.5;) {
		int fd = open("/dev/null", O_RDONLY);

		wrong += fd != 0;
		close(fd);
	}
	printf("%ld wrong\n", wrong);
	return wrong != 0;
}
