#include "analysis/util/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LONG 2 /* seconds: what takes less is no news */

static double begun, last;
static bool shown;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds so far, if it is time for another line; else 0. */
static double due(void)
{
	double at = now();

	if (begun == 0)
		begun = at;
	if (at - begun < LONG || at - last < 0.2 || !isatty(STDERR_FILENO))
		return 0;
	last = at;
	shown = true;
	return at - begun;
}

void progress(const char *what, size_t done, size_t all)
{
	if (due() > 0)
		fprintf(stderr, "\r%s: process %zu of %zu\033[K", what, done + 1, all);
}

void progress_end(void)
{
	if (shown)
		fprintf(stderr, "\r\033[K");
	shown = false;
}

void progress_begin(void)
{
	begun = now();
}

void progress_share(const char *what, double share, uint64_t events)
{
	double seconds = due();

	if (seconds > 0 && share > 0)
		fprintf(stderr, "\r%s: %.0f %%, %.1f M events/s, %.0f s left\033[K", what, 100 * share, (double)events / seconds / 1e6,
			seconds / share - seconds);
}

void progress_share_end(const char *done, uint64_t events)
{
	double seconds = now() - begun;

	progress_end();
	if (seconds >= LONG && !isatty(STDERR_FILENO))
		fprintf(stderr, "ranktrace: %s %" PRIu64 " events in %.0f s, %.1f M events/s\n", done, events, seconds, (double)events / seconds / 1e6);
}
