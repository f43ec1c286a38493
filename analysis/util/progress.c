#include "analysis/util/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static bool shown;

void progress(const char *what, size_t done, size_t all)
{
	static double begun, last;
	struct timespec t;
	double now;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	if (begun == 0)
		begun = now;
	if (now - begun < 2 || now - last < 0.2 || !isatty(STDERR_FILENO))
		return;
	last = now;
	shown = true;
	fprintf(stderr, "\r%s: process %zu of %zu\033[K", what, done + 1, all);
}

void progress_end(void)
{
	if (shown)
		fprintf(stderr, "\r\033[K");
	shown = false;
}
