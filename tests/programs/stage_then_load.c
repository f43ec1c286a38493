/* stage_then_load.c - three steps on the first OpenCL device: a stage in which something is copied, and behind it data is loaded, with no call. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <unistd.h>
#include "agent/ranktrace.h"

#define LOADS 20000 /* us */

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int err;
	cl_context context;
	cl_command_queue queue;
	cl_mem buffer;
	float data[64] = { 0 };

	if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return 2;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	queue = clCreateCommandQueue(context, device, 0, &err);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &err);
	for (int step = 1; step <= 3; step++) {
		uint64_t stage;

		ranktrace_begin_step(step);
		stage = ranktrace_begin_stage("update");
		if (clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL))
			return 3;
		ranktrace_end_stage(stage);
		usleep(LOADS);
	}
	return 0;
}
