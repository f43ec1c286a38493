/*
 * arguments.c - calls every row with NULL and garbage in each of its places, and prints what came of it:
 * the result, errno, the status and whatever else was written, or the signal that ended the call.
 *
 * usage: arguments fake | real [FILE]. With a fake library, which survives everything, all is done in one
 * process and the library is asked what it was given. With a real one each row has a child, and another behind
 * each call that ended one; calls that FILE names, one a line as printed, are left out.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "tests/programs/each.h"
#define CL_NO_PROTOTYPES /* of extensions: they are looked up */
#include <CL/cl_ext.h>
#undef CL_NO_PROTOTYPES
#include <CL/cl.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ZONE	  512
#define MOST	  14
#define POISON	  16ul	 /* an address that nothing is at */
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

static void fake_objects(void)
{
	void **object = (void **)&good;

	for (size_t i = 0; i < sizeof(good) / sizeof(*object); i++)
		object[i] = (void *)(0x100000ul + 64 * i);
}

/* ---- one call: one place is bad, the others are good ---- */

static struct {
	int place;	    /* the bad one; MOST: all of them */
	bool first_is_null; /* so that the call fails before the bad place is looked at */
	uintptr_t value[4]; /* for an integer, a pointer, a handle, a function */
	const char *name;
} variant;

static int places; /* of the row, so far */
static unsigned char *zones, before[MOST][ZONE];
static char shown[4096];

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
#include "hooks/opencl_ext.def"
#include "hooks/again.h"

static void find_extensions(void)
{
#define HOOK(ret, sym, ...) *(void **)&sym = clGetExtensionFunctionAddressForPlatform(good.platform, #sym);
#define HOOK_PTR	    HOOK
#include "hooks/opencl_ext.def"
#include "hooks/again.h"
}

#ifdef REAL /* a fake library has no functions that are no rows */
static int real_objects(void)
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
static int real_objects(void)
{
	return 2;
}
#endif

/* ---- what came of it ---- */

static void show(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void show(const char *format, ...)
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
#define SET(a)	     a = (__typeof__(a))place(#a, VALUE(a));
#define HOOK(ret, sym, params, args, ...)                                                \
	static void try_##sym params                                                     \
	{                                                                                \
		EACH(SET, UNPAREN args)                                                  \
		errno = UNTOUCHED;                                                       \
		outcome(__builtin_types_compatible_p(ret, cl_int), (uintptr_t)sym args); \
	}
#define HOOK_VOID(sym, params, args, ...) \
	static void try_##sym params      \
	{                                 \
		EACH(SET, UNPAREN args)   \
		errno = UNTOUCHED;        \
		sym args;                 \
		outcome(true, 0);         \
	}
#define HOOK_PTR	HOOK
#define HOOK_PTR0	HOOK
#define HOOK_CUSTOM	HOOK
#define HOOK_CUSTOM_PTR HOOK
#define HOOK_AS(sym, kind)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wpointer-to-int-cast"
#include "hooks/opencl.def"
#include "hooks/opencl_ext.def"
#include "hooks/again.h"

#define ONE(a)				  +1
#define HOOK(ret, sym, params, args, ...) { #sym, (void *)try_##sym, 0 EACH(ONE, UNPAREN args) },
#define HOOK_VOID(sym, ...)		  HOOK(void, sym, __VA_ARGS__)
#define HOOK_PTR			  HOOK
#define HOOK_PTR0			  HOOK
#define HOOK_CUSTOM			  HOOK
#define HOOK_CUSTOM_PTR			  HOOK
#define HOOK_AS(sym, kind)
static const struct row {
	const char *name;
	void *try;
	int places;
} rows[] = {
#include "hooks/opencl.def"
#include "hooks/opencl_ext.def"
};
#define ROWS (sizeof(rows) / sizeof(*rows))

/* ---- all the variants of a row ---- */

static void *edge; /* the last eight bytes before nothing */

/* Returns false behind the last. 0: all is good. */
static bool choose(const struct row *r, int number)
{
	const struct {
		const char *name;
		uintptr_t value[4];
	} bad[] = {
		{ "null", { 0, 0, 0, 0 } },
		{ "poison", { ~0ul, POISON, POISON, 0 } },
		{ "edge", { 100, (uintptr_t)edge, (uintptr_t)zones, 0 } },
		{ "huge", { 0x7fffffff, ~7ul, ~7ul, 0 } },
	};
	const int values = sizeof(bad) / sizeof(*bad);
	int n = number;

	variant.first_is_null = n >= (r->places + 1) * values;
	if (variant.first_is_null)
		n -= (r->places + 1) * values;
	if (n >= (variant.first_is_null ? r->places : r->places + 1) * values)
		return false;
	variant.place = n / values < r->places ? n / values : MOST;
	memcpy(variant.value, bad[n % values].value, sizeof(variant.value));
	variant.name = bad[n % values].name;
	return true;
}

typedef void (*any)(long, long, long, long, long, long, long, long, long, long, long, long, long, long);

static void name_variant(const struct row *r, char *out, size_t size)
{
	snprintf(out, size, "%s %d %s%s", r->name, variant.place, variant.name,
		 variant.first_is_null ? " behind a null" : "");
}

extern unsigned long fake_calls(const char *name) __attribute__((weak));
extern unsigned long fake_given(void) __attribute__((weak));

static void try(const struct row *r)
{
	unsigned long calls = fake_calls ? fake_calls(r->name) : 0;

	places = 0;
	memset(edge, 0, 8);
	shown[0] = '\0';
	((any)r->try)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	if (fake_calls)
		show(" called %lu with %lx", fake_calls(r->name) - calls, fake_given());
}

static void all_in_one_process(void)
{
	char name[256];

	for (size_t i = 0; i < ROWS; i++) {
		for (int n = 0; choose(&rows[i], n); n++) {
			name_variant(&rows[i], name, sizeof(name));
			try(&rows[i]);
			printf("%s: %s\n", name, shown);
		}
		printf("called %s %lu\n", rows[i].name, fake_calls(rows[i].name));
	}
}

static char *left_out;

static bool is_left_out(const char *name)
{
	const char *at = left_out ? strstr(left_out, name) : NULL;

	return at && at[strlen(name)] == '\n' && (at == left_out || at[-1] == '\n');
}

/* In the child: variants from *n on. */
static void run_child(const struct row *r, volatile int *n)
{
	char line[4500], name[256];

	for (; choose(r, *n); ++*n) {
		name_variant(r, name, sizeof(name));
		if (is_left_out(name))
			continue;
		alarm(10);
		try(r);
		snprintf(line, sizeof(line), "%s: %s\n", name, shown);
		if (write(1, line, strlen(line)) < 0)
			_exit(9);
	}
	_exit(0);
}

static void with_children(const struct row *r, volatile int *n)
{
	char name[256];
	int status;

	for (*n = 0; choose(r, *n); ++*n) {
		if (!fork())
			run_child(r, n);
		wait(&status);
		if (!choose(r, *n))
			return;
		name_variant(r, name, sizeof(name));
		dprintf(1, "%s: signal %d\n", name, WTERMSIG(status));
	}
}

static void *pages(size_t at, size_t n)
{
	/* The same address in each run where it can be: the library is asked what it was given. */
	return mmap((void *)(0x7e9000000000ul + at), n * 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *all = calloc(1, 1 << 20);

	if (!f || !all || fread(all, 1, (1 << 20) - 1, f) == 0)
		exit(3);
	fclose(f);
	return all;
}

int main(int argc, char **argv)
{
	volatile int *progress = pages(0, 1);
	int rc;

	zones = pages(1 << 20, 4);
	edge = zones + 2 * 4096 - 8;
	mprotect(zones + 2 * 4096, 4096, PROT_NONE);
	if (argc > 1 && !strcmp(argv[1], "fake")) {
		fake_objects();
		find_extensions();
		setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
		all_in_one_process();
		return 0;
	}
	rc = real_objects();
	if (rc)
		return rc;
	left_out = argc > 2 ? read_file(argv[2]) : NULL;
	for (size_t i = 0; i < ROWS; i++)
		with_children(&rows[i], progress);
	return 0;
}
