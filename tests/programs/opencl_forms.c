/*
 * opencl_forms.c - calls as many entry points as a real OpenCL runtime on the CPU has, in all the forms
 * that they come in, on one thread.
 *
 * On standard output: what a program can observe (it must not differ when somebody watches). To the file
 * named FORMS_EXPECT: every call with a row in hooks/opencl.def, in order, as a JSON object of what a
 * record of it must say; at the end the memory held at most and not given back, and begin and end of
 * this program's life.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE	 4096
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static cl_context context;
static cl_device_id device;
static FILE *expected;
static long held, peak, unfreed; /* bytes, bytes, objects */

/* ---- what a record must say ---- */

/* DID("clFinish", rc, "\"kind\":\"sync\",\"stream\":%d", n): the call was made and gave rc. */
__attribute__((format(printf, 3, 4))) static void did(const char *name, int rc, const char *format, ...)
{
	va_list list;

	fprintf(expected, "{\"name\":\"%s\",\"result\":%d,", name, rc);
	va_start(list, format);
	vfprintf(expected, format, list);
	va_end(list);
	fprintf(expected, "}\n");
	if (rc)
		printf("%s gives %d\n", name, rc);
}

static void take(long bytes)
{
	held += bytes;
	unfreed++;
	if (held > peak)
		peak = held;
}

static void give(long bytes)
{
	held -= bytes;
	unfreed--;
}

/* The address of an object as the trace writes it; objects of a failed call have none. */
static void allocated(const char *name, int rc, const void *object, long bytes)
{
	if (rc) {
		did(name, rc, "\"kind\":\"alloc\"");
		return;
	}
	take(bytes);
	did(name, 0, "\"kind\":\"alloc\",\"bytes\":%ld,\"address\":\"%p\"", bytes, object);
}

static void freed(cl_mem object, long bytes)
{
	int rc = clReleaseMemObject(object);

	give(bytes);
	did("clReleaseMemObject", rc, "\"kind\":\"free\",\"bytes\":%ld,\"address\":\"%p\"", bytes, (void *)object);
}

/* A command with bytes that go somewhere; every one of them has a device time. */
static void moved(const char *name, int rc, const char *kind, int stream, long bytes, const char *direction,
		  const void *address)
{
	if (*direction)
		did(name, rc, "\"kind\":\"%s\",\"stream\":%d,\"bytes\":%ld,\"direction\":\"%s\",\"address\":\"%p\",\"timed\":1",
		    kind, stream, bytes, direction, address);
	else
		did(name, rc, "\"kind\":\"%s\",\"stream\":%d,\"bytes\":%ld,\"direction\":null,\"address\":\"%p\",\"timed\":1",
		    kind, stream, bytes, address);
}

static void plain(const char *name, int rc, const char *kind)
{
	did(name, rc, "\"kind\":\"%s\"", kind);
}

static void synced(const char *name, int rc, int stream)
{
	did(name, rc, "\"kind\":\"sync\",\"stream\":%d", stream);
}

static void finish(cl_command_queue queue, int stream)
{
	synced("clFinish", clFinish(queue), stream);
}

static void release_event(cl_event event)
{
	plain("clReleaseEvent", clReleaseEvent(event), "event");
}

/* ---- what a program can observe ---- */

static void show_bytes(const char *what, const void *bytes, size_t n)
{
	unsigned long sum = 5381;

	for (size_t i = 0; i < n; i++)
		sum = sum * 33 + ((const unsigned char *)bytes)[i];
	printf("%s: %zu bytes, sum %lx\n", what, n, sum);
}

static void show_queue(const char *what, cl_command_queue queue)
{
	cl_queue_properties list[16] = { 0 };
	cl_command_queue_properties bits = 99;
	size_t size = 99, n;
	int rc = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(bits), &bits, &size);

	plain("clGetCommandQueueInfo", rc, "stream");
	printf("%s: properties %lx of %zu bytes, rc %d\n", what, (unsigned long)bits, size, rc);
	rc = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 0, NULL, &size);
	plain("clGetCommandQueueInfo", rc, "stream");
	printf("%s: properties want %zu bytes, rc %d\n", what, size, rc);
	rc = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 1, &bits, &size);
	plain("clGetCommandQueueInfo", rc, "stream");
	printf("%s: properties in one byte, rc %d\n", what, rc);
	size = 99;
	rc = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size);
	plain("clGetCommandQueueInfo", rc, "stream");
	printf("%s: list wants %zu bytes, rc %d\n", what, size, rc);
	size = 99;
	rc = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(list), list, &size);
	plain("clGetCommandQueueInfo", rc, "stream");
	printf("%s: list of %zu bytes, rc %d:", what, size, rc);
	for (n = 0; n < size / sizeof(*list) && n < COUNT(list); n++)
		printf(" %lx", (unsigned long)list[n]);
	printf("\n");
	rc = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 1, list, &size);
	plain("clGetCommandQueueInfo", rc, "stream");
	printf("%s: list in one byte, rc %d\n", what, rc);
}

/* Times differ from run to run; that there are some, and their order, does not. */
static void show_times(const char *what, cl_event event)
{
	cl_ulong t[4] = { 0 };
	int rc = 0;

	for (int i = 0; i < 4; i++) {
		int one = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof(t[i]), &t[i], NULL);

		plain("clGetEventProfilingInfo", one, "event");
		rc = one ? one : rc;
	}
	printf("%s: profiling rc %d", what, rc);
	if (!rc)
		printf(", times %s", t[0] && t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3] ? "in order" : "in disorder");
	printf("\n");
}

/* finally: how many references are left when all is done; the runtime keeps some of its own. */
static void show_event(const char *what, cl_event event, cl_uint finally)
{
	cl_uint references = 0;
	cl_int status = 99;
	cl_command_type type = 0;

	/* The runtime's own thread may let go of a finished command a moment later than it says so. */
	for (int tries = 0; tries < 1000000 && references != finally; tries++) {
		plain("clGetEventInfo",
		      clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(references), &references, NULL), "event");
		sched_yield();
	}
	plain("clGetEventInfo", clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
	      "event");
	plain("clGetEventInfo", clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL), "event");
	printf("%s: %u references, status %d, type %x\n", what, references, status, type);
}

static void show_memory_object(const char *what, cl_mem object)
{
	cl_uint references = 0;
	size_t size = 0;

	clGetMemObjectInfo(object, CL_MEM_REFERENCE_COUNT, sizeof(references), &references, NULL);
	clGetMemObjectInfo(object, CL_MEM_SIZE, sizeof(size), &size, NULL);
	printf("%s: %u references, %zu bytes\n", what, references, size);
}

/* ---- queues ---- */

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

static cl_command_queue queue_with(const char *what, const cl_queue_properties *list, int *stream)
{
	cl_int rc;
	cl_command_queue q = clCreateCommandQueueWithProperties(context, device, list, &rc);

	plain("clCreateCommandQueueWithProperties", rc, "stream");
	*stream = ++streams;
	show_queue(what, q);
	return q;
}

static void release_queue(cl_command_queue q, int stream)
{
	did("clReleaseCommandQueue", clReleaseCommandQueue(q), "\"kind\":\"stream\",\"stream\":%d", stream);
}

static cl_kernel kernel_of(cl_program program, const char *name, cl_mem buffer)
{
	cl_int rc;
	cl_kernel k = clCreateKernel(program, name, &rc);

	plain("clCreateKernel", rc, "module");
	clSetKernelArg(k, 0, sizeof(buffer), &buffer);
	return k;
}

static void release_kernel(cl_kernel k)
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

static void all_queues(cl_kernel k)
{
	static const cl_queue_properties nothing[] = { 0 }, zero[] = { CL_QUEUE_PROPERTIES, 0, 0 };
	static const cl_queue_properties disorder[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	static const cl_queue_properties timed[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };
	static const cl_queue_properties wrong[] = { CL_QUEUE_PROPERTIES, 1ul << 40, 0 }, odd[] = { 0x1234, 1, 0 };
	cl_command_queue q;
	cl_int rc;
	int s;

	/* Each is released before the next is made: the runtime may give the same handle again. */
	for (int round = 0; round < 2; round++) {
		q = queue_old("old", 0, &s);
		try_queue("old", q, s, k);
		q = queue_with("list of nothing", nothing, &s);
		try_queue("list of nothing", q, s, k);
		q = queue_old("old out of order", CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &s);
		try_queue("old out of order", q, s, k);
		q = queue_with("list of zero", zero, &s);
		try_queue("list of zero", q, s, k);
		q = queue_old("old again", 0, &s);
		try_queue("old again", q, s, k);
		q = queue_with("no list", NULL, &s);
		try_queue("no list", q, s, k);
		q = queue_with("out of order", disorder, &s);
		try_queue("out of order", q, s, k);
		q = queue_old("old with profiling", CL_QUEUE_PROFILING_ENABLE, &s);
		try_queue("old with profiling", q, s, k);
		q = queue_with("list with profiling", timed, &s);
		try_queue("list with profiling", q, s, k);
	}
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

/* ---- buffers ---- */

static unsigned char host[SIZE], back[SIZE];

static void buffers(cl_command_queue q, int s)
{
	static const size_t at[3] = { 8, 2, 1 }, here[3] = { 0, 0, 0 }, region[3] = { 16, 4, 2 };
	cl_buffer_region half = { SIZE / 4, SIZE / 4 };
	cl_event user, write;
	cl_mem a, b, c, sub;
	cl_int rc;
	int pattern = 0x01020304;
	void *map;

	for (int i = 0; i < SIZE; i++)
		host[i] = (unsigned char)(i * 7);
	a = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &rc);
	allocated("clCreateBuffer", rc, a, SIZE);
	b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, SIZE, host, NULL);
	allocated("clCreateBuffer", 0, b, SIZE);
	c = clCreateBufferWithProperties(context, NULL, CL_MEM_READ_WRITE, SIZE / 2, NULL, &rc);
	allocated("clCreateBufferWithProperties", rc, c, SIZE / 2);
	clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &rc);
	allocated("clCreateBuffer", rc, NULL, 0);
	sub = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, &rc);
	allocated("clCreateSubBuffer", rc, sub, 0);
	show_memory_object("sub-buffer", sub);

	rc = clEnqueueWriteBuffer(q, a, CL_TRUE, 0, SIZE, host, 0, NULL, NULL);
	moved("clEnqueueWriteBuffer", rc, "copy", s, SIZE, "h2d", a);
	user = clCreateUserEvent(context, &rc);
	plain("clCreateUserEvent", rc, "event");
	rc = clEnqueueWriteBuffer(q, c, CL_FALSE, 16, 1000, host, 1, &user, &write);
	moved("clEnqueueWriteBuffer", rc, "copy", s, 1000, "h2d", c);
	plain("clSetUserEventStatus", clSetUserEventStatus(user, CL_COMPLETE), "event");
	plain("clWaitForEvents", clWaitForEvents(1, &write), "sync");
	show_event("a write that waited", write, 2);
	show_event("user event", user, 1);
	show_times("a write that waited", write);
	show_times("user event", user);
	plain("clRetainEvent", clRetainEvent(write), "event");
	release_event(write);
	release_event(write);
	release_event(user);
	rc = clEnqueueReadBuffer(q, c, CL_TRUE, 16, 1000, back, 0, NULL, NULL);
	moved("clEnqueueReadBuffer", rc, "copy", s, 1000, "d2h", c);
	show_bytes("read", back, 1000);
	rc = clEnqueueReadBuffer(q, c, CL_TRUE, 0, SIZE * 2, back, 0, NULL, NULL);
	did("clEnqueueReadBuffer", rc, "\"kind\":\"copy\",\"stream\":%d", s);
	rc = clEnqueueCopyBuffer(q, b, a, 0, 512, 2048, 0, NULL, NULL);
	moved("clEnqueueCopyBuffer", rc, "copy", s, 2048, "d2d", a);
	rc = clEnqueueFillBuffer(q, sub, &pattern, sizeof(pattern), 0, 256, 0, NULL, NULL);
	moved("clEnqueueFillBuffer", rc, "fill", s, 256, "", sub);
	rc = clEnqueueWriteBufferRect(q, a, CL_TRUE, at, here, region, 64, 64 * 8, 16, 16 * 4, host, 0, NULL, NULL);
	moved("clEnqueueWriteBufferRect", rc, "copy", s, 16 * 4 * 2, "h2d", a);
	rc = clEnqueueCopyBufferRect(q, a, b, at, here, region, 64, 64 * 8, 32, 32 * 8, 0, NULL, NULL);
	moved("clEnqueueCopyBufferRect", rc, "copy", s, 16 * 4 * 2, "d2d", b);
	rc = clEnqueueReadBufferRect(q, b, CL_TRUE, here, here, region, 32, 32 * 8, 16, 16 * 4, back, 0, NULL, NULL);
	moved("clEnqueueReadBufferRect", rc, "copy", s, 16 * 4 * 2, "d2h", b);
	show_bytes("rectangle", back, 16 * 4 * 2);

	map = clEnqueueMapBuffer(q, a, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, &rc);
	moved("clEnqueueMapBuffer", rc, "map", s, SIZE, "d2h", a);
	show_bytes("mapped", map, SIZE);
	rc = clEnqueueUnmapMemObject(q, a, map, 0, NULL, NULL);
	did("clEnqueueUnmapMemObject", rc, "\"kind\":\"map\",\"stream\":%d,\"address\":\"%p\",\"timed\":1", s, (void *)a);
	map = clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 64, 128, 0, NULL, NULL, NULL);
	moved("clEnqueueMapBuffer", 0, "map", s, 128, "h2d", b);
	memset(map, 7, 128);
	rc = clEnqueueUnmapMemObject(q, b, map, 0, NULL, &write);
	did("clEnqueueUnmapMemObject", rc, "\"kind\":\"map\",\"stream\":%d,\"address\":\"%p\",\"timed\":1", s, (void *)b);
	rc = clEnqueueMigrateMemObjects(q, 2, (cl_mem[]){ a, b }, 0, 0, NULL, NULL);
	moved("clEnqueueMigrateMemObjects", rc, "copy", s, 2 * SIZE, "h2d", a);
	rc = clEnqueueMigrateMemObjects(q, 1, &b, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL);
	moved("clEnqueueMigrateMemObjects", rc, "copy", s, SIZE, "d2h", b);
	finish(q, s);
	show_event("unmap", write, 1);
	release_event(write);

	did("clRetainMemObject", clRetainMemObject(a), "\"kind\":\"reference\",\"address\":\"%p\"", (void *)a);
	show_memory_object("kept twice", a);
	did("clReleaseMemObject", clReleaseMemObject(a), "\"kind\":\"reference\",\"address\":\"%p\"", (void *)a);
	show_memory_object("kept once", a);
	freed(sub, 0);
	freed(b, SIZE);
	freed(a, SIZE);
	/* c is a leak of SIZE / 2 bytes: the report must say so. */
}

/* ---- images ---- */

static void images(cl_command_queue q, int s)
{
	static const size_t here[3] = { 0, 0, 0 }, at[3] = { 2, 1, 0 }, part[3] = { 4, 3, 1 }, all[3] = { 16, 8, 1 };
	static const size_t cube[3] = { 4, 4, 4 };
	static const float colour[4] = { 1, 0.5f, 0.25f, 1 };
	cl_image_format rgba = { CL_RGBA, CL_UNORM_INT8 }, real = { CL_R, CL_FLOAT };
	cl_image_desc flat = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8 };
	cl_image_desc deep = { .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 4 };
	cl_image_desc line = { .image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 32 };
	cl_image_desc stack = { .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 8, .image_height = 4, .image_array_size = 3 };
	/* A program need not set what its type of image does not have. */
	cl_image_desc careless = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4, .image_depth = 77, .image_array_size = 55 };
	size_t row = 0, slice = 0;
	cl_mem im[8], buffer;
	cl_event event;
	cl_int rc;
	void *map;

	im[0] = clCreateImage(context, CL_MEM_READ_WRITE, &rgba, &flat, NULL, &rc);
	allocated("clCreateImage", rc, im[0], 16 * 8 * 4);
	im[1] = clCreateImage(context, CL_MEM_READ_WRITE, &real, &deep, NULL, &rc);
	allocated("clCreateImage", rc, im[1], 4 * 4 * 4 * 4);
	im[2] = clCreateImage(context, CL_MEM_READ_WRITE, &real, &line, NULL, &rc);
	allocated("clCreateImage", rc, im[2], 32 * 4);
	im[3] = clCreateImage(context, CL_MEM_READ_WRITE, &rgba, &stack, NULL, &rc);
	allocated("clCreateImage", rc, im[3], 8 * 4 * 3 * 4);
	im[4] = clCreateImage2D(context, CL_MEM_READ_WRITE, &rgba, 16, 8, 0, NULL, &rc);
	allocated("clCreateImage2D", rc, im[4], 16 * 8 * 4);
	im[5] = clCreateImage3D(context, CL_MEM_READ_WRITE, &real, 4, 4, 4, 0, 0, NULL, &rc);
	allocated("clCreateImage3D", rc, im[5], 4 * 4 * 4 * 4);
	im[6] = clCreateImageWithProperties(context, NULL, CL_MEM_READ_WRITE, &rgba, &flat, NULL, &rc);
	allocated("clCreateImageWithProperties", rc, im[6], 16 * 8 * 4);
	im[7] = clCreateImage(context, CL_MEM_READ_WRITE, &rgba, &careless, NULL, &rc);
	allocated("clCreateImage", rc, im[7], 4 * 4 * 4);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &rc);
	allocated("clCreateBuffer", rc, buffer, SIZE);

	rc = clEnqueueWriteImage(q, im[0], CL_TRUE, here, all, 0, 0, host, 0, NULL, NULL);
	moved("clEnqueueWriteImage", rc, "copy", s, 16 * 8 * 4, "h2d", im[0]);
	rc = clEnqueueCopyImage(q, im[0], im[4], at, here, part, 0, NULL, NULL);
	moved("clEnqueueCopyImage", rc, "copy", s, 4 * 3 * 4, "d2d", im[4]);
	rc = clEnqueueFillImage(q, im[4], colour, at, part, 0, NULL, &event);
	moved("clEnqueueFillImage", rc, "fill", s, 4 * 3 * 4, "", im[4]);
	rc = clEnqueueReadImage(q, im[4], CL_TRUE, here, part, 0, 0, back, 0, NULL, NULL);
	moved("clEnqueueReadImage", rc, "copy", s, 4 * 3 * 4, "d2h", im[4]);
	show_bytes("image", back, 4 * 3 * 4);
	rc = clEnqueueCopyImageToBuffer(q, im[0], buffer, here, all, 64, 0, NULL, NULL);
	moved("clEnqueueCopyImageToBuffer", rc, "copy", s, 16 * 8 * 4, "d2d", buffer);
	rc = clEnqueueCopyBufferToImage(q, buffer, im[1], 64, here, cube, 0, NULL, NULL);
	moved("clEnqueueCopyBufferToImage", rc, "copy", s, 4 * 4 * 4 * 4, "d2d", im[1]);
	rc = clEnqueueReadImage(q, im[1], CL_TRUE, here, cube, 0, 0, back, 0, NULL, NULL);
	moved("clEnqueueReadImage", rc, "copy", s, 4 * 4 * 4 * 4, "d2h", im[1]);
	show_bytes("cube", back, 4 * 4 * 4 * 4);
	map = clEnqueueMapImage(q, im[0], CL_TRUE, CL_MAP_READ, here, part, &row, &slice, 0, NULL, NULL, &rc);
	moved("clEnqueueMapImage", rc, "map", s, 4 * 3 * 4, "d2h", im[0]);
	show_bytes("mapped image", map, 16);
	rc = clEnqueueUnmapMemObject(q, im[0], map, 0, NULL, NULL);
	did("clEnqueueUnmapMemObject", rc, "\"kind\":\"map\",\"stream\":%d,\"timed\":1", s);
	finish(q, s);
	show_event("fill of an image", event, 1);
	release_event(event);
	freed(im[0], 16 * 8 * 4);
	freed(im[1], 4 * 4 * 4 * 4);
	freed(im[2], 32 * 4);
	freed(im[3], 8 * 4 * 3 * 4);
	freed(im[4], 16 * 8 * 4);
	freed(im[5], 4 * 4 * 4 * 4);
	freed(im[6], 16 * 8 * 4);
	freed(im[7], 4 * 4 * 4);
	freed(buffer, SIZE);
}

/* ---- shared virtual memory ---- */

static void shared_memory(cl_command_queue q, int s)
{
	unsigned char *p[4];
	int pattern = 0x55aa55aa, rc;
	const void *moving[2];
	cl_event event;
	size_t sizes[2] = { 100, 0 };

	for (int i = 0; i < 4; i++) {
		p[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, 1024 * (i + 1), 0);
		if (!p[i]) {
			allocated("clSVMAlloc", -1, NULL, 0);
			printf("no shared virtual memory\n");
			return;
		}
		allocated("clSVMAlloc", 0, p[i], 1024 * (i + 1));
	}
	rc = clEnqueueSVMMap(q, CL_TRUE, CL_MAP_WRITE, p[0], 1024, 0, NULL, NULL);
	moved("clEnqueueSVMMap", rc, "map", s, 1024, "h2d", p[0]);
	memcpy(p[0], host, 1024);
	rc = clEnqueueSVMUnmap(q, p[0], 0, NULL, NULL);
	did("clEnqueueSVMUnmap", rc, "\"kind\":\"map\",\"stream\":%d,\"address\":\"%p\",\"timed\":1", s, (void *)p[0]);
	rc = clEnqueueSVMMemcpy(q, CL_TRUE, p[1], p[0], 1000, 0, NULL, NULL);
	moved("clEnqueueSVMMemcpy", rc, "copy", s, 1000, "other", p[1]);
	rc = clEnqueueSVMMemFill(q, p[1], &pattern, sizeof(pattern), 64, 0, NULL, &event);
	moved("clEnqueueSVMMemFill", rc, "fill", s, 64, "", p[1]);
	moving[0] = p[0];
	moving[1] = p[1];
	rc = clEnqueueSVMMigrateMem(q, 2, moving, sizes, 0, 0, NULL, NULL);
	moved("clEnqueueSVMMigrateMem", rc, "copy", s, 100 + 2048, "h2d", p[0]);
	rc = clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, p[1], 1000, 0, NULL, NULL);
	moved("clEnqueueSVMMap", rc, "map", s, 1000, "d2h", p[1]);
	show_bytes("shared", p[1], 1000);
	rc = clEnqueueSVMUnmap(q, p[1], 0, NULL, NULL);
	did("clEnqueueSVMUnmap", rc, "\"kind\":\"map\",\"stream\":%d,\"timed\":1", s);
	finish(q, s);
	show_event("fill of shared memory", event, 1);
	release_event(event);
	clSVMFree(context, p[0]);
	give(1024);
	did("clSVMFree", 0, "\"kind\":\"free\",\"bytes\":1024,\"address\":\"%p\"", (void *)p[0]);
	clSVMFree(context, NULL);
	did("clSVMFree", 0, "\"kind\":\"free\"");
	rc = clEnqueueSVMFree(q, 2, (void *[]){ p[1], p[2] }, NULL, NULL, 0, NULL, NULL);
	give(2048);
	give(3072);
	did("clEnqueueSVMFree", rc, "\"kind\":\"free\",\"stream\":%d,\"bytes\":%d,\"address\":\"%p\",\"timed\":1", s,
	    2048 + 3072, (void *)p[1]);
	finish(q, s);
	/* p[3] is a leak of 4096 bytes. */
}

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
