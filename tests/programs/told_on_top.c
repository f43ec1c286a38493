/*
 * told_on_top.c - a step that is told on top of the thread that changes a stage, as a signal handler may: with RANKTRACE_CLOCK=ns the agent
 * reads the time there, by this program's clock_gettime(). Makes 3 calls in step 1, and 2 behind the change.
 */
#define _GNU_SOURCE
#include "agent/ranktrace.h"
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clFinish(void *queue);

static bool tells;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (tells) {
		tells = false;
		ranktrace_begin_step(2);
	}
	return (int)syscall(SYS_clock_gettime, clock, time);
}

static void call(int times)
{
	while (times-- > 0)
		clFinish(NULL);
}

int main(void)
{
	ranktrace_begin_step(1);
	call(3);
	tells = true;
	ranktrace_end_stage(ranktrace_begin_stage("a"));
	call(2);
	return 0;
}
