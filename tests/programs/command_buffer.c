/*
 * command_buffer.c - launches a recorded list of commands, as an extension that only the runtime's own
 * look-up finds: makes a list of COMMANDS launches that add 1, runs it LAUNCHES times, prints the sum.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>

#define COMMANDS 3
#define LAUNCHES 5

static void check(const char *what, cl_int err)
{
	if (err) {
		fprintf(stderr, "%s: error %d\n", what, err);
		exit(1);
	}
}

static void *find(cl_platform_id platform, const char *name)
{
	void *f = clGetExtensionFunctionAddressForPlatform(platform, name);

	if (!f)
		fprintf(stderr, "skip: no %s here\n", name), exit(77);
	return f;
}

static cl_kernel make_kernel(cl_context context, cl_device_id device)
{
	const char *source = "kernel void add_one(global int *p) { p[get_global_id(0)] += 1; }";
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	cl_kernel kernel;

	check("clCreateProgramWithSource", err);
	check("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL, NULL));
	kernel = clCreateKernel(program, "add_one", &err);
	check("clCreateKernel", err);
	clReleaseProgram(program);
	return kernel;
}

int main(void)
{
	clCreateCommandBufferKHR_fn create;
	clCommandNDRangeKernelKHR_fn command;
	clFinalizeCommandBufferKHR_fn finalize;
	clEnqueueCommandBufferKHR_fn enqueue;
	clRetainCommandBufferKHR_fn retain;
	clReleaseCommandBufferKHR_fn release;
	cl_platform_id platform;
	cl_device_id device;
	cl_int err, data[32] = { 0 };
	size_t global = 32;

	check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
	check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	create = find(platform, "clCreateCommandBufferKHR");
	command = find(platform, "clCommandNDRangeKernelKHR");
	finalize = find(platform, "clFinalizeCommandBufferKHR");
	enqueue = find(platform, "clEnqueueCommandBufferKHR");
	retain = find(platform, "clRetainCommandBufferKHR");
	release = find(platform, "clReleaseCommandBufferKHR");
	printf("unknown name: %p\n", clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchThingKHR"));

	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	cl_kernel kernel = make_kernel(context, device);
	cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &err);
	check("clCreateBuffer", err);
	check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));

	cl_command_buffer_khr list = create(1, &queue, NULL, &err);
	check("clCreateCommandBufferKHR", err);
	for (int i = 0; i < COMMANDS; i++) {
		cl_sync_point_khr point = 0, before = (cl_sync_point_khr)i;

		check("clCommandNDRangeKernelKHR", command(list, NULL, NULL, kernel, 1, NULL, &global, NULL, i > 0,
							   i ? &before : NULL, &point, NULL));
	}
	check("clFinalizeCommandBufferKHR", finalize(list));
	check("clRetainCommandBufferKHR", retain(list));
	check("clReleaseCommandBufferKHR", release(list));
	for (int i = 0; i < LAUNCHES; i++) {
		check("clEnqueueCommandBufferKHR", enqueue(0, NULL, list, 0, NULL, NULL));
		check("clFinish", clFinish(queue));
	}
	check("clEnqueueReadBuffer",
	      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
	printf("sum %d\n", data[7]);
	printf("bad argument: %d\n", enqueue(0, NULL, NULL, 0, NULL, NULL));
	check("clReleaseCommandBufferKHR", release(list));
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
