/*
 * late_work STEPS FILLS EVERY - gives FILLS pieces of work a step to a device, and waits for what it gave so far in the midst of each
 * EVERY-th step: some of the work is done long after its step. `late_work ... kill` does not live to wait for the last of it.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "agent/ranktrace.h"

static cl_command_queue queue;
static cl_mem memory;

static int start(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;

	if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 20, NULL, NULL);
	return !queue || !memory;
}

static int fill(long n)
{
	while (n--)
		if (clEnqueueFillBuffer(queue, memory, "", 1, 0, 1 << 20, 0, NULL, NULL))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	long steps = argc > 3 ? atol(argv[1]) : 0, fills = steps ? atol(argv[2]) : 0, every = steps ? atol(argv[3]) : 0;

	if (!steps || start())
		return 1;
	for (long step = 1; step <= steps; step++) {
		ranktrace_step(step);
		if (fill(fills / 2) || (step % every == 0 && clFinish(queue)) || fill(fills - fills / 2))
			return 1;
	}
	return argc > 4 ? kill(getpid(), SIGKILL) : clFinish(queue);
}
