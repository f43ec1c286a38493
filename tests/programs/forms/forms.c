/*
 * forms.c - calls as many entry points as a real OpenCL runtime on the CPU has, in all the forms
 * that they come in, on one thread.
 *
 * On standard output: what a program can observe (it must not differ when somebody watches). To the file
 * named FORMS_EXPECT: every call with a row in hooks/opencl/opencl.def, in order, as a JSON object of what a
 * record of it must say; at the end the memory held at most and not given back, and begin and end of
 * this program's life.
 */
#include "forms.h"
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

cl_context context;
cl_device_id device;
FILE *expected;
long held, peak, unfreed;

/* ---- programs, kernels, synchronisation ---- */

static const char *source =
	"kernel void add_one(global int *p) { p[get_global_id(0)] += 1; }\n"
	"kernel void add_two(global int *p) { p[get_global_id(0) + get_global_id(1) * get_global_size(0)] += 2; }\n";

static sem_t called_back;

static void CL_CALLBACK when_done(cl_event event, cl_int status, void *data)
{
	(void)event, (void)status, (void)data;
	sem_post(&called_back);
}

static void CL_CALLBACK native(void *arguments)
{
	++**(int **)arguments;
}

static cl_program build(void)
{
	cl_int rc;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &rc);

	plain("clCreateProgramWithSource", rc, "module");
	plain("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL, NULL), "module");
	return program;
}

static void many_kernels(cl_program program)
{
	cl_kernel list[8];
	cl_uint n = 0;
	cl_int rc;

	memset(list, 0x5a, sizeof(list)); /* what lies behind the last kernel is nobody's */
	rc = clCreateKernelsInProgram(program, COUNT(list), list, &n);
	plain("clCreateKernelsInProgram", rc, "module");
	printf("%u kernels\n", n);
	for (cl_uint i = 0; i < n; i++)
		release_kernel(list[i]);
	memset(list, 0x5a, sizeof(list));
	rc = clCreateKernelsInProgram(program, COUNT(list), list, NULL);
	plain("clCreateKernelsInProgram", rc, "module");
	for (cl_uint i = 0; i < n; i++)
		release_kernel(list[i]);
	rc = clCreateKernelsInProgram(program, 0, NULL, &n);
	plain("clCreateKernelsInProgram", rc, "module");
}

static void launches(cl_command_queue q, int s, cl_program program, cl_mem buffer)
{
	static const size_t global[3] = { 32, 4, 2 }, local[3] = { 8, 2, 1 }, offset[3] = { 0, 0, 0 };
	cl_kernel one = kernel_of(program, "add_one", buffer), two = kernel_of(program, "add_two", buffer), copy;
	int number = 41, *argument = &number;
	cl_event event[3];
	cl_int rc;

	clCreateKernel(program, "no_such_kernel", &rc);
	plain("clCreateKernel", rc, "module");
	copy = clCloneKernel(two, &rc);
	plain("clCloneKernel", rc, "module");
	plain("clRetainKernel", clRetainKernel(one), "module");
	release_kernel(one);
	rc = clEnqueueNDRangeKernel(q, one, 1, NULL, global, local, 0, NULL, &event[0]);
	did("clEnqueueNDRangeKernel", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_one\",\"global\":[32],\"local\":[8],"
					  "\"timed\":1",
	    s);
	rc = clEnqueueNDRangeKernel(q, two, 2, offset, global, local, 1, event, &event[1]);
	did("clEnqueueNDRangeKernel", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_two\",\"global\":[32,4],"
					  "\"local\":[8,2],\"timed\":1",
	    s);
	rc = clEnqueueNDRangeKernel(q, two, 3, NULL, global, NULL, 0, NULL, NULL);
	did("clEnqueueNDRangeKernel", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_two\",\"global\":[32,4,2],"
					  "\"local\":null,\"timed\":1",
	    s);
	rc = clEnqueueNDRangeKernel(q, one, 7, NULL, global, NULL, 0, NULL, NULL);
	did("clEnqueueNDRangeKernel", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_one\"", s);
	if (copy) {
		clSetKernelArg(copy, 0, sizeof(buffer), &buffer);
		rc = clEnqueueNDRangeKernel(q, copy, 1, NULL, global, NULL, 0, NULL, NULL);
		did("clEnqueueNDRangeKernel", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_two\",\"global\":[32],"
						  "\"timed\":1",
		    s);
	}
	rc = clEnqueueTask(q, one, 0, NULL, &event[2]);
	did("clEnqueueTask", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_one\",\"global\":[1],\"local\":[1],\"timed\":1", s);
	rc = clEnqueueNativeKernel(q, native, &argument, sizeof(argument), 0, NULL, NULL, 0, NULL, NULL);
	did("clEnqueueNativeKernel", rc, "\"kind\":\"launch\",\"stream\":%d%s", s, rc ? "" : ",\"timed\":1");
	finish(q, s);
	printf("native kernel made %d\n", number);
	for (int i = 0; i < 3; i++) {
		show_event("launch", event[i], i == 2 ? 2 : 1);
		release_event(event[i]);
	}
	rc = clEnqueueReadBuffer(q, buffer, CL_TRUE, 0, 1024, back, 0, NULL, NULL);
	moved("clEnqueueReadBuffer", rc, "copy", s, 1024, "d2h", buffer);
	show_bytes("kernels' work", back, 1024);
	if (copy)
		release_kernel(copy);
	release_kernel(two);
	release_kernel(one);
}

static void synchronisation(cl_command_queue q, int s, cl_kernel k)
{
	size_t global = 16;
	cl_event launch, marker, waiting, barrier, user;
	cl_int rc;

	rc = clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, &launch);
	did("clEnqueueNDRangeKernel", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_one\",\"global\":[16],\"timed\":1", s);
	plain("clSetEventCallback", clSetEventCallback(launch, CL_COMPLETE, when_done, NULL), "event");
	synced("clFlush", clFlush(q), s);
	while (sem_wait(&called_back))
		;
	synced("clEnqueueMarker", clEnqueueMarker(q, &marker), s);
	synced("clEnqueueMarkerWithWaitList", clEnqueueMarkerWithWaitList(q, 1, &launch, &waiting), s);
	synced("clEnqueueBarrierWithWaitList", clEnqueueBarrierWithWaitList(q, 1, &launch, &barrier), s);
	synced("clEnqueueBarrier", clEnqueueBarrier(q), s);
	/* Not clEnqueueWaitForEvents: PoCL 3.1 aborts there. */
	plain("clWaitForEvents", clWaitForEvents(3, (cl_event[]){ marker, waiting, barrier }), "sync");
	plain("clWaitForEvents", clWaitForEvents(0, NULL), "sync");
	user = clCreateUserEvent(context, &rc);
	plain("clCreateUserEvent", rc, "event");
	plain("clSetUserEventStatus", clSetUserEventStatus(user, CL_COMPLETE), "event");
	plain("clSetUserEventStatus", clSetUserEventStatus(user, CL_COMPLETE), "event");
	release_event(user);
	finish(q, s);
	show_event("launch", launch, 2);
	show_event("marker", marker, 1);
	show_event("marker that waited", waiting, 1);
	show_event("barrier", barrier, 1);
	release_event(launch);
	release_event(marker);
	release_event(waiting);
	release_event(barrier);
}

static void unsupported(void)
{
	cl_int rc;
	cl_mem pipe = clCreatePipe(context, CL_MEM_READ_WRITE, 16, 16, NULL, &rc);

	allocated("clCreatePipe", rc, pipe, 16 * 16);
	clCreateProgramWithIL(context, "nonsense", 8, &rc);
	plain("clCreateProgramWithIL", rc, "module");
}

static void references(cl_context c, const char *what)
{
	cl_uint n = 0;

	clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof(n), &n, NULL);
	printf("%s: the context has %u references\n", what, n);
}

static unsigned long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

int main(void)
{
	unsigned long long born = now();
	const char *path = getenv("FORMS_EXPECT");
	cl_platform_id platform;
	cl_command_queue q;
	cl_program program;
	cl_kernel k;
	cl_mem buffer;
	cl_int rc;
	int s;

	expected = fopen(path ? path : "/dev/null", "w");
	if (!expected || clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL)) {
		fprintf(stderr, "there is no OpenCL runtime on the CPU\n");
		return 77;
	}
	sem_init(&called_back, 0, 0);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	q = queue_with("main", NULL, &s);
	program = build();
	buffers(q, s);
	images(q, s);
	shared_memory(q, s);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, SIZE, host, &rc);
	allocated("clCreateBuffer", rc, buffer, SIZE);
	many_kernels(program);
	launches(q, s, program, buffer);
	k = kernel_of(program, "add_one", buffer);
	synchronisation(q, s, k);
	all_queues(k);
	unsupported();
	release_kernel(k);
	plain("clReleaseProgram", clReleaseProgram(program), "module");
	freed(buffer, SIZE);
	finish(q, s);
	release_queue(q, s);
	references(context, "end");
	fprintf(expected, "{\"peak_bytes\":%ld,\"unfreed\":%ld,\"unfreed_bytes\":%ld,\"born\":%llu,\"died\":%llu}\n", peak, unfreed,
		held, born, now());
	return fclose(expected) != 0;
}
