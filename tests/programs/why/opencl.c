/* opencl.c - device.h on OpenCL's first CPU, as one rank: a kernel runs until the processor's time stamps say so. */
#include "tests/programs/why/device.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define BATCH	   (4u << 20)
#define MORE	   (16u << 20)
#define ALLOCATION (512u << 10)

static const char source[] =
#define KERNEL(name)                                                         \
	"kernel void " #name "(global ulong *ends, ulong ticks)\n"           \
	"{\n"                                                                \
	"	ulong begin = __builtin_readcyclecounter(), now = begin;\n"        \
	"	while (now - begin < ticks) now = __builtin_readcyclecounter();\n" \
	"	ends[0] = now;\n"                                                  \
	"}\n"
	KERNEL(matmul) KERNEL(norm) KERNEL(relu) KERNEL(add) KERNEL(adam_step);
static const char *const names[KERNELS] = { "matmul", "norm", "relu", "add", "adam_step" };

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernels[KERNELS];
static cl_mem batch, ends;
static char host[MORE];
static double ticks_per_ns;

static uint64_t time_stamp(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	device_must(1, "a processor without time stamps that a kernel may read");
	return 0;
#endif
}

static void measure_ticks(void)
{
	uint64_t begin = device_now(), first = time_stamp();

	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	ticks_per_ns = (double)(time_stamp() - first) / (double)(device_now() - begin);
}

void device_kernel(enum kernel kernel, uint64_t ns, bool longer)
{
	cl_ulong ticks = (cl_ulong)((double)ns * ticks_per_ns);
	size_t one = 1;

	device_must(longer, "a kernel of other shapes");
	OK(clSetKernelArg(kernels[kernel], 0, sizeof(ends), &ends));
	OK(clSetKernelArg(kernels[kernel], 1, sizeof(ticks), &ticks));
	OK(clEnqueueNDRangeKernel(queue, kernels[kernel], 1, NULL, &one, NULL, 0, NULL, NULL));
}

static void copy(size_t bytes)
{
	OK(clEnqueueWriteBuffer(queue, batch, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
}

void device_copy(void)
{
	copy(BATCH);
}

uint64_t device_copy_more(uint64_t ns)
{
	uint64_t begin = device_now();

	while (device_now() - begin < ns)
		copy(MORE);
	return device_now() - begin;
}

void device_all_reduce(uint64_t ns)
{
	(void)ns; /* there is nobody else */
}

void device_allocate(void)
{
	int rc;
	cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, ALLOCATION, host, &rc);

	device_must(rc, "clCreateBuffer");
	OK(clReleaseMemObject(memory));
}

void device_build(uint64_t ns)
{
	device_must(ns != 0, "a build");
}

void device_first(uint64_t ns)
{
	device_must(ns != 0, "a first launch");
}

void device_wait(void)
{
	OK(clFinish(queue));
}

static void find_device(cl_device_id *device)
{
	cl_platform_id platforms[8];
	cl_uint n = 0;
	int rc = CL_DEVICE_NOT_FOUND;

	OK(clGetPlatformIDs(8, platforms, &n));
	for (cl_uint i = 0; i < n && i < 8 && rc; i++)
		rc = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, device, NULL);
	device_must(rc, "clGetDeviceIDs");
}

void device_start(uint32_t rank, uint32_t ranks, const char *job)
{
	const char *text = source;
	cl_device_id device;
	cl_program program;
	int rc;

	(void)rank, (void)job;
	device_must(ranks != 1, "more than one rank");
	measure_ticks();
	find_device(&device);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	device_must(rc, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &rc);
	device_must(rc, "clCreateCommandQueue");
	batch = clCreateBuffer(context, CL_MEM_READ_WRITE, MORE, NULL, &rc);
	device_must(rc, "clCreateBuffer");
	ends = clCreateBuffer(context, CL_MEM_READ_WRITE, 8, NULL, &rc);
	device_must(rc, "clCreateBuffer");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	device_must(rc, "clCreateProgramWithSource");
	OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
	for (int i = 0; i < KERNELS; i++) {
		kernels[i] = clCreateKernel(program, names[i], &rc);
		device_must(rc, names[i]);
	}
	copy(MORE); /* its pages are there from now on */
}

void device_end(void)
{
	OK(clFinish(queue));
	OK(clReleaseMemObject(batch));
	OK(clReleaseMemObject(ends));
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
}
