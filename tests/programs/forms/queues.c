/* queues.c - queues of every form, each with a launch. */
#include "forms.h"
#include <stdbool.h>

static int streams;

static cl_command_queue queue_old(const char *what, cl_command_queue_properties bits, int *stream)
{
	cl_int rc;
	cl_command_queue q = clCreateCommandQueue(context, device, bits, &rc);

	plain("clCreateCommandQueue", rc, "stream");
	*stream = ++streams;
	show_queue(what, q);
	return q;
}

cl_command_queue queue_with(const char *what, const cl_queue_properties *list, int *stream)
{
	cl_int rc;
	cl_command_queue q = clCreateCommandQueueWithProperties(context, device, list, &rc);

	plain("clCreateCommandQueueWithProperties", rc, "stream");
	*stream = ++streams;
	show_queue(what, q);
	return q;
}

void release_queue(cl_command_queue q, int stream)
{
	did("clReleaseCommandQueue", clReleaseCommandQueue(q), "\"kind\":\"stream\",\"stream\":%d", stream);
}

cl_kernel kernel_of(cl_program program, const char *name, cl_mem buffer)
{
	cl_int rc;
	cl_kernel k = clCreateKernel(program, name, &rc);

	plain("clCreateKernel", rc, "module");
	clSetKernelArg(k, 0, sizeof(buffer), &buffer);
	return k;
}

void release_kernel(cl_kernel k)
{
	plain("clReleaseKernel", clReleaseKernel(k), "module");
}

/* A launch on a queue of this form; its event as the program sees it, before and after the queue ends. */
static void try_queue(const char *what, cl_command_queue q, int stream, cl_kernel k)
{
	size_t global = 64;
	cl_event event;
	int rc = clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, &event);

	did("clEnqueueNDRangeKernel", rc, "\"kind\":\"launch\",\"stream\":%d,\"kernel\":\"add_one\",\"global\":[64],"
					  "\"local\":null,\"timed\":1",
	    stream);
	finish(q, stream);
	show_event(what, event, 2);
	show_times(what, event);
	release_queue(q, stream);
	show_times("... of a queue released", event);
	release_event(event);
}

static const cl_queue_properties nothing[] = { 0 }, zero[] = { CL_QUEUE_PROPERTIES, 0, 0 };
static const cl_queue_properties disorder[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
static const cl_queue_properties timed[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };

static const struct {
	const char *name;
	bool old; /* by clCreateCommandQueue */
	cl_command_queue_properties bits;
	const cl_queue_properties *list;
} forms[] = {
	{ "old", .old = true },
	{ "list of nothing", .list = nothing },
	{ "old out of order", .old = true, .bits = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE },
	{ "list of zero", .list = zero },
	{ "old again", .old = true },
	{ "no list", .list = NULL },
	{ "out of order", .list = disorder },
	{ "old with profiling", .old = true, .bits = CL_QUEUE_PROFILING_ENABLE },
	{ "list with profiling", .list = timed },
};

/* Each queue is released before the next is made: the runtime may give the same handle again. */
static void all_forms(cl_kernel k)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const char *name = forms[i].name;
		int s;
		cl_command_queue q = forms[i].old ? queue_old(name, forms[i].bits, &s) : queue_with(name, forms[i].list, &s);

		try_queue(name, q, s, k);
	}
}

void all_queues(cl_kernel k)
{
	static const cl_queue_properties wrong[] = { CL_QUEUE_PROPERTIES, 1ul << 40, 0 }, odd[] = { 0x1234, 1, 0 };
	cl_command_queue q;
	cl_int rc;
	int s;

	all_forms(k);
	all_forms(k);
	q = clCreateCommandQueueWithProperties(context, device, wrong, &rc);
	plain("clCreateCommandQueueWithProperties", rc, "stream");
	printf("wrong bits: %s\n", q ? "a queue" : "none");
	q = clCreateCommandQueueWithProperties(context, device, odd, &rc);
	plain("clCreateCommandQueueWithProperties", rc, "stream");
	printf("an unknown property: %s\n", q ? "a queue" : "none");
	q = clCreateCommandQueue(NULL, device, 0, &rc);
	plain("clCreateCommandQueue", rc, "stream");
	q = clCreateCommandQueue(NULL, device, 0, NULL);
	plain("clCreateCommandQueue", rc, "stream");

	q = queue_with("kept twice", NULL, &s);
	did("clRetainCommandQueue", clRetainCommandQueue(q), "\"kind\":\"stream\",\"stream\":%d", s);
	release_queue(q, s);
	show_queue("kept once", q);
	try_queue("kept once", q, s, k);
}
