/* say.c - what a record of a call must say, and what a program can observe. */
#include "forms.h"
#include <sched.h>
#include <stdarg.h>

/* ---- what a record must say ---- */

void did(const char *name, int rc, const char *format, ...)
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

void take(long bytes)
{
	held += bytes;
	unfreed++;
	if (held > peak)
		peak = held;
}

void give(long bytes)
{
	held -= bytes;
	unfreed--;
}

/* The address of an object as the trace writes it; objects of a failed call have none. */
void allocated(const char *name, int rc, const void *object, long bytes)
{
	if (rc) {
		did(name, rc, "\"kind\":\"alloc\"");
		return;
	}
	take(bytes);
	did(name, 0, "\"kind\":\"alloc\",\"bytes\":%ld,\"address\":\"%p\"", bytes, object);
}

void freed(cl_mem object, long bytes)
{
	int rc = clReleaseMemObject(object);

	give(bytes);
	did("clReleaseMemObject", rc, "\"kind\":\"free\",\"bytes\":%ld,\"address\":\"%p\"", bytes, (void *)object);
}

/* A command with bytes that go somewhere; every one of them has a device time. */
void moved(const char *name, int rc, const char *kind, int stream, long bytes, const char *direction,
	   const void *address)
{
	if (*direction)
		did(name, rc, "\"kind\":\"%s\",\"stream\":%d,\"bytes\":%ld,\"direction\":\"%s\",\"address\":\"%p\",\"timed\":1",
		    kind, stream, bytes, direction, address);
	else
		did(name, rc, "\"kind\":\"%s\",\"stream\":%d,\"bytes\":%ld,\"direction\":null,\"address\":\"%p\",\"timed\":1",
		    kind, stream, bytes, address);
}

void plain(const char *name, int rc, const char *kind)
{
	did(name, rc, "\"kind\":\"%s\"", kind);
}

void synced(const char *name, int rc, int stream)
{
	did(name, rc, "\"kind\":\"sync\",\"stream\":%d", stream);
}

void finish(cl_command_queue queue, int stream)
{
	synced("clFinish", clFinish(queue), stream);
}

void release_event(cl_event event)
{
	plain("clReleaseEvent", clReleaseEvent(event), "event");
}

/* ---- what a program can observe ---- */

void show_bytes(const char *what, const void *bytes, size_t n)
{
	unsigned long sum = 5381;

	for (size_t i = 0; i < n; i++)
		sum = sum * 33 + ((const unsigned char *)bytes)[i];
	printf("%s: %zu bytes, sum %lx\n", what, n, sum);
}

void show_queue(const char *what, cl_command_queue queue)
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
void show_times(const char *what, cl_event event)
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
void show_event(const char *what, cl_event event, cl_uint finally)
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

void show_memory_object(const char *what, cl_mem object)
{
	cl_uint references = 0;
	size_t size = 0;

	clGetMemObjectInfo(object, CL_MEM_REFERENCE_COUNT, sizeof(references), &references, NULL);
	clGetMemObjectInfo(object, CL_MEM_SIZE, sizeof(size), &size, NULL);
	printf("%s: %u references, %zu bytes\n", what, references, size);
}
