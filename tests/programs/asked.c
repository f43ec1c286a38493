/*
 * asked COUNTS - a trainer that goes as far as it is told on standard input: `to N` makes steps up to N, `free` makes steps until the next
 * line comes; behind either it says `at N`. `leave` begins the exit, in which it is told on, up to `end` or the end of its input. Step k launches 2 + k % 3 kernels that have their name from before the first step, from step 20
 * on from right before that one, as their queue has. COUNTS gets two numbers for each step: launches begun, and done; they outlive a kill. Step 0 has the number of the last one.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "agent/ranktrace.h"

#define STEPS (1 << 23)

static struct {
	uint32_t begun, done;
} * counts;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_mem memory;
static cl_command_queue queue;
static cl_kernel kernel;
static long now;

static int take(const char *name)
{
	queue = clCreateCommandQueue(context, device, 0, NULL);
	kernel = clCreateKernel(program, name, NULL);
	return clSetKernelArg(kernel, 0, sizeof(memory), &memory);
}

static int start(void)
{
	static const char *source = "kernel void named_before(global int *a) { a[0] += 1; }\n"
				    "kernel void named_behind(global int *a) { a[0] += 1; }\n";
	cl_platform_id platform;

	if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	if (clBuildProgram(program, 1, &device, "", NULL, NULL))
		return 1;
	memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
	return take("named_before");
}

static int map_counts(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)sizeof(*counts) * STEPS))
		return 1;
	counts = mmap(NULL, sizeof(*counts) * STEPS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return counts == MAP_FAILED;
}

static void step(void)
{
	static const size_t one = 1;

	if (++now >= STEPS)
		exit(3);
	if (now == 20 && take("named_behind"))
		exit(5);
	counts[0].begun = (uint32_t)now;
	ranktrace_step(now);
	for (long i = 0; i < 2 + now % 3; i++) {
		counts[now].begun++;
		if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL))
			exit(4);
		counts[now].done++;
	}
	clFinish(queue);
}

static int told_more(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&in, 1, 0);
}

static void say_where(void)
{
	printf("at %ld\n", now);
	fflush(stdout);
}

static void follow(void)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin) && strcmp(line, "end\n")) {
		if (!strcmp(line, "leave\n"))
			exit(0);
		if (!strncmp(line, "to ", 3))
			while (now < atol(line + 3))
				step();
		else
			while (!told_more()) {
				step();
				if (now % 8 == 0)
					usleep(1000); /* who asks wants a processor, too */
			}
		say_where();
	}
}

/* At the exit. */
static void leave(void)
{
	if (feof(stdin))
		return;
	say_where();
	follow();
}

int main(int argc, char **argv)
{
	if (argc < 2 || start() || map_counts(argv[1]))
		return 1;
	setvbuf(stdin, NULL, _IONBF, 0);
	if (atexit(leave))
		return 1;
	follow();
	return 0;
}
