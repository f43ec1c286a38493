/*
 * arguments_rows.c - what each place of each row is given when it is good, the call itself, and what came of
 * it. Made from the table of hooks: what a place takes is told by the type and the name of its argument.
 */
#include "arguments.h"
#include "tests/contract/all_of_opencl.h"
#include "tests/programs/each.h"
#define CL_NO_PROTOTYPES /* of extensions: they are looked up */
#include <CL/cl_ext.h>
#undef CL_NO_PROTOTYPES
#include <CL/cl.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZONE	  512
#define UNTOUCHED 0x5a5a /* errno before a call */

/* ---- objects that are good ---- */

static struct {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_mem buffer, image;
	cl_program program;
	cl_kernel kernel;
	cl_event event;
	void *svm;
	cl_command_buffer_khr commands;
} good;

void fake_objects(void)
{
	void **object = (void **)&good;

	for (size_t i = 0; i < sizeof(good) / sizeof(*object); i++)
		object[i] = (void *)(0x100000ul + 64 * i);
}

/* ---- one call: one place is bad, the others are good ---- */

struct variant variant;
int places;
unsigned char *zones;
char shown[4096];
static unsigned char before[MOST][ZONE];

enum kind { INTEGER,
	    POINTER,
	    HANDLE,
	    FUNCTION };

struct value {
	enum kind kind;
	uintptr_t value;     /* of an integer or a handle */
	const void *content; /* of what a pointer leads to; NULL: nothing in particular */
	size_t size;
};

static uintptr_t good_integer(const char *name)
{
	static const struct {
		const char *name;
		uintptr_t value;
	} named[] = { { "num_events_in_wait_list", 1 }, { "num_events", 1 }, { "work_dim", 1 }, { "size", 64 }, { "pattern_size", 4 }, { "num_mem_objects", 1 }, { "num_svm_pointers", 1 }, { "image_width", 8 }, { "image_height", 4 }, { "image_depth", 2 }, { "count", 1 }, { "num_devices", 1 }, { "num_queues", 1 }, { "num_kernels", 1 }, { "param_value_size", 64 }, { "length", 8 }, { "pipe_packet_size", 4 }, { "pipe_max_packets", 4 } };

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (!strcmp(name, named[i].name))
			return named[i].value;
	return 0;
}

static void called_back(void)
{
}

static uintptr_t good_value(const char *name, const struct value *v, unsigned char *zone)
{
	switch (v->kind) {
	case INTEGER: return good_integer(name);
	case FUNCTION: return (uintptr_t)called_back;
	case HANDLE: return v->value == (uintptr_t)good.buffer && strstr(name, "image") ? (uintptr_t)good.image : v->value;
	case POINTER: break;
	}
	if (strstr(name, "svm_p"))
		return (uintptr_t)good.svm;
	if (v->content && !strstr(name, "origin") && !strstr(name, "offset"))
		memcpy(zone, v->content, v->size);
	return (uintptr_t)zone;
}

/* What stands at the next place of this call. */
static uintptr_t place(const char *name, struct value v)
{
	int i = places++;
	unsigned char *zone = zones + i * ZONE;
	uintptr_t value;

	memset(zone, 0, ZONE);
	value = good_value(name, &v, zone);
	if (variant.place == i || variant.place == MOST)
		value = variant.value[v.kind];
	if (i == 0 && variant.first_is_null)
		value = 0;
	if (!strcmp(name, "err") && value != (uintptr_t)zone && getenv("FAKE_STRICT"))
		value = 0; /* the strict library would write there */
	memcpy(before[i], zone, ZONE);
	return value;
}

#define CONTENT(...)                                          \
	(struct value)                                        \
	{                                                     \
		POINTER, 0, &__VA_ARGS__, sizeof(__VA_ARGS__) \
	}
#define OBJECT(object)                                  \
	(struct value)                                  \
	{                                               \
		HANDLE, (uintptr_t)good.object, NULL, 0 \
	}
#define SOMETHING                   \
	(struct value)              \
	{                           \
		POINTER, 0, NULL, 0 \
	}
static const size_t ones[3] = { 1, 1, 1 };
static const char *const text = "add_one";
static const cl_image_format a_format = { CL_RGBA, CL_UNORM_INT8 };
static const cl_image_desc a_desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4 };

/* clang-format off */
#define CALLBACK (struct value){ FUNCTION, 0, NULL, 0 }
#define VALUE(a) _Generic((a),									\
	cl_platform_id: OBJECT(platform), cl_device_id: OBJECT(device), cl_context: OBJECT(context),	\
	cl_command_queue: OBJECT(queue), cl_mem: OBJECT(buffer), cl_program: OBJECT(program),		\
	cl_kernel: OBJECT(kernel), cl_event: OBJECT(event), cl_command_buffer_khr: OBJECT(commands),	\
	cl_command_queue *: CONTENT(good.queue), const cl_command_queue *: CONTENT(good.queue),		\
	const cl_device_id *: CONTENT(good.device), const cl_mem *: CONTENT(good.buffer),		\
	const cl_event *: CONTENT(good.event), const cl_program *: CONTENT(good.program),		\
	const size_t *: CONTENT(ones), const char *: CONTENT(*text), const char **: CONTENT(text),	\
	const unsigned char **: CONTENT(text),								\
	const cl_image_format *: CONTENT(a_format), const cl_image_desc *: CONTENT(a_desc),		\
	void **: CONTENT(good.svm), const void **: CONTENT(good.svm),					\
	cl_int: (struct value){ INTEGER, 0, NULL, 0 }, cl_uint: (struct value){ INTEGER, 0, NULL, 0 },	\
	cl_ulong: (struct value){ INTEGER, 0, NULL, 0 },						\
	void *: SOMETHING, const void *: SOMETHING, cl_event *: SOMETHING, cl_kernel *: SOMETHING,	\
	cl_int *: SOMETHING, cl_uint *: SOMETHING, size_t *: SOMETHING, const intptr_t *: SOMETHING,	\
	const cl_uint *: SOMETHING, cl_mutable_command_khr *: SOMETHING,				\
	void (*)(void *): CALLBACK, void (*)(cl_program, void *): CALLBACK,				\
	void (*)(cl_event, cl_int, void *): CALLBACK,							\
	void (*)(cl_command_queue, cl_uint, void **, void *): CALLBACK)
/* clang-format on */

/* Extensions are no library's exports: the runtime finds them. */
#define HOOK(ret, sym, params, ...) static ret(*sym) params;
#define HOOK_PTR		    HOOK
#include "hooks/opencl/extensions.def"
#include "hooks/rows/undef_forms.h"

void find_extensions(void)
{
#define HOOK(ret, sym, ...) *(void **)&sym = clGetExtensionFunctionAddressForPlatform(good.platform, #sym);
#define HOOK_PTR	    HOOK
#include "hooks/opencl/extensions.def"
#include "hooks/rows/undef_forms.h"
}

#ifdef REAL /* a fake library has no functions that are no rows */
int real_objects(void)
{
	static const char *source = "kernel void add_one(global int *p) { p[get_global_id(0)] += 1; }";
	cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8 };
	int rc;

	if (clGetPlatformIDs(1, &good.platform, NULL) ||
	    clGetDeviceIDs(good.platform, CL_DEVICE_TYPE_CPU, 1, &good.device, NULL))
		return 77;
	find_extensions();
	good.context = clCreateContext(NULL, 1, &good.device, NULL, NULL, &rc);
	good.queue = clCreateCommandQueue(good.context, good.device, 0, &rc);
	good.buffer = clCreateBuffer(good.context, CL_MEM_COPY_HOST_PTR, 4096, zones, &rc);
	good.image = clCreateImage(good.context, CL_MEM_COPY_HOST_PTR, &format, &desc, zones, &rc);
	good.program = clCreateProgramWithSource(good.context, 1, &source, NULL, &rc);
	rc = clBuildProgram(good.program, 1, &good.device, "", NULL, NULL);
	good.kernel = clCreateKernel(good.program, "add_one", NULL);
	good.event = clCreateUserEvent(good.context, NULL);
	good.svm = clSVMAlloc(good.context, CL_MEM_READ_WRITE, 4096, 0);
	memset(good.svm, 0, 4096);
	good.commands = clCreateCommandBufferKHR ? clCreateCommandBufferKHR(1, &good.queue, NULL, &rc) : NULL;
	clSetKernelArg(good.kernel, 0, sizeof(good.buffer), &good.buffer);
	return rc || clSetUserEventStatus(good.event, CL_COMPLETE) || !good.svm;
}
#else
int real_objects(void)
{
	return 2;
}
#endif

/* ---- what came of it ---- */

void show(const char *format, ...)
{
	size_t n = strlen(shown);
	va_list list;

	va_start(list, format);
	vsnprintf(shown + n, sizeof(shown) - n, format, list);
	va_end(list);
}

/* Small numbers as they are; of addresses and times only that there is something. */
static void show_written(void)
{
	for (int i = 0; i < places; i++) {
		for (size_t at = 0; at < ZONE; at += 4) {
			int32_t now, was;

			memcpy(&now, zones + i * ZONE + at, 4);
			memcpy(&was, before[i] + at, 4);
			if (now == was)
				continue;
			if (now > -200 && now < 65536)
				show(" %d+%zu=%d", i, at, now);
			else
				show(" %d+%zu=something", i, at);
			if (now <= -200 || now >= 65536)
				at += 4; /* the other half of an address may be 0 or not */
		}
	}
}

static void outcome(bool is_status, uintptr_t result)
{
	int error = errno;

	if (is_status)
		show("%d", (int)result);
	else
		show("%s", result ? "object" : "NULL");
	if (error != UNTOUCHED)
		show(" errno %d", error);
	show_written();
}

#define UNPAREN(...) __VA_ARGS__
#include "hooks/rows/one_form.h"
#define SET(a) a = (__typeof__(a))place(#a, VALUE(a));
#define HOOK(ret, sym, params, args, ...)                                                \
	static void try_##sym params                                                     \
	{                                                                                \
		EACH(SET, UNPAREN args)                                                  \
		errno = UNTOUCHED;                                                       \
		outcome(__builtin_types_compatible_p(ret, cl_int), (uintptr_t)sym args); \
	}
#undef HOOK_VOID
#define HOOK_VOID(sym, params, args, ...) \
	static void try_##sym params      \
	{                                 \
		EACH(SET, UNPAREN args)   \
		errno = UNTOUCHED;        \
		sym args;                 \
		outcome(true, 0);         \
	}
#define HOOK_AS(sym, kind)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wpointer-to-int-cast"
#include "hooks/opencl/opencl.def"
#include "hooks/opencl/extensions.def"
#include "hooks/rows/undef_forms.h"

#define ONE(a)				  +1
#define HOOK(ret, sym, params, args, ...) { #sym, (void *)try_##sym, 0 EACH(ONE, UNPAREN args) },
#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind)
const struct row rows[] = {
#include "hooks/opencl/opencl.def"
#include "hooks/opencl/extensions.def"
};
const size_t row_count = sizeof(rows) / sizeof(*rows);
