/*
 * switch.c - preloaded in front of ranktrace: times the steps of tests/trainers/lm_train, whose every step ends
 * with one clFinish(), and sends its calls through ranktrace and past it: a block of steps with, two without, two with and so on.
 * SWITCH_BLOCK: steps in a block; 0: all calls go on to whoever is next.
 * SWITCH_OUT: file for the wall and CPU ns of every step, one line each, written when the process exits.
 *
 * Both ways lead through the same jump, so that the difference is what ranktrace takes.
 */
#include "switch.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* clang-format off */
#define CALL_LIST(X)                                                                                               \
	X(clBuildProgram) X(clCreateBuffer) X(clCreateCommandQueue) X(clCreateContext) X(clCreateKernel)           \
	X(clCreateProgramWithSource) X(clEnqueueFillBuffer) X(clEnqueueNDRangeKernel) X(clEnqueueReadBuffer)       \
	X(clEnqueueWriteBuffer) X(clGetDeviceIDs) X(clGetPlatformIDs) X(clReleaseCommandQueue) X(clReleaseContext) \
	X(clReleaseKernel) X(clReleaseMemObject) X(clReleaseProgram) X(clSetKernelArg)
/* clang-format on */

#define STEPS 65536
static struct {
	uint64_t wall, cpu;
} steps[STEPS];
static unsigned int step, block, way;

#if defined(__x86_64__)
#define JUMP(name) "jmp *" name "(%rip)"
#elif defined(__aarch64__)
#define JUMP(name) "adrp x16, " name "\n\tldr x16, [x16, :lo12:" name "]\n\tbr x16"
#endif

#define AS_DOOR(name)                                          \
	__attribute__((visibility("hidden"))) void *to_##name; \
	static void *ways_##name[WAYS];                        \
	__asm__(".globl " #name "\n.type " #name ", %function\n" #name ":\n\t" JUMP("to_" #name) "\n");
CALL_LIST(AS_DOOR)
static int (*finish[WAYS])(void *);

static void turn(unsigned int to)
{
	way = to;
#define AS_TURN(name) to_##name = ways_##name[to];
	CALL_LIST(AS_TURN)
}

static uint64_t ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((constructor)) static void loaded(void)
{
	struct link_map *map = dlopen("libOpenCL.so.1", RTLD_NOW);
	const char *text = getenv("SWITCH_BLOCK");

	block = text ? (unsigned int)atoi(text) : 0;
#define AS_WAYS(name) ways_##name[NEXT] = dlsym(RTLD_NEXT, #name), ways_##name[REAL] = look_up(map, #name);
	CALL_LIST(AS_WAYS)
	finish[NEXT] = (int (*)(void *))dlsym(RTLD_NEXT, "clFinish");
	finish[REAL] = (int (*)(void *))look_up(map, "clFinish");
	turn(NEXT);
}

/* Every step ends here. The clocks are read last, so that what we do ourselves belongs to no step's end. */
__attribute__((visibility("default"))) int clFinish(void *queue)
{
	int rc = finish[way](queue);

	if (step < STEPS) {
		steps[step].wall = ns(CLOCK_MONOTONIC);
		steps[step].cpu = ns(CLOCK_PROCESS_CPUTIME_ID);
	}
	step++;
	if (block && step % block == 0)
		turn((step / block + 1) / 2 % 2 ? REAL : NEXT);
	return rc;
}

__attribute__((destructor)) static void done(void)
{
	const char *path = getenv("SWITCH_OUT");
	FILE *f = path ? fopen(path, "w") : NULL;

	for (unsigned int i = 1; f && i < step && i < STEPS; i++)
		fprintf(f, "%llu %llu\n", (unsigned long long)(steps[i].wall - steps[i - 1].wall),
			(unsigned long long)(steps[i].cpu - steps[i - 1].cpu));
	if (f)
		fclose(f);
}
