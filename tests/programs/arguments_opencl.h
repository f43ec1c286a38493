/* arguments_opencl.h - for arguments_rows.c: what OpenCL's places take. */
#include "tests/contract/all_of_opencl.h"
#define CL_NO_PROTOTYPES /* of extensions: they are looked up */
#include <CL/cl_ext.h>
#undef CL_NO_PROTOTYPES
#include <CL/cl.h>

#define ROWS_OF "tests/programs/arguments_opencl_rows.h"
#define STATUS	cl_int

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

static const struct named_integer good_integers[] = { { "num_events_in_wait_list", 1 }, { "num_events", 1 }, { "work_dim", 1 }, { "size", 64 }, { "pattern_size", 4 }, { "num_mem_objects", 1 }, { "num_svm_pointers", 1 }, { "image_width", 8 }, { "image_height", 4 }, { "image_depth", 2 }, { "count", 1 }, { "num_devices", 1 }, { "num_queues", 1 }, { "num_kernels", 1 }, { "param_value_size", 64 }, { "length", 8 }, { "pipe_packet_size", 4 }, { "pipe_max_packets", 4 } };

/* 0: what its type says. */
static uintptr_t own_value(const char *name, const struct value *v)
{
	if (v->kind == HANDLE && v->value == (uintptr_t)good.buffer && strstr(name, "image"))
		return (uintptr_t)good.image;
	return v->kind == POINTER && strstr(name, "svm_p") ? (uintptr_t)good.svm : 0;
}

/* A value, good or bad, that may stand there. */
static uintptr_t own_place(const char *name, uintptr_t value, const unsigned char *zone)
{
	if (!strcmp(name, "err") && value != (uintptr_t)zone && getenv("FAKE_STRICT"))
		return 0; /* the strict library would write there */
	return value;
}

static const size_t ones[3] = { 1, 1, 1 };
static const char *const text = "add_one";
static const cl_image_format a_format = { CL_RGBA, CL_UNORM_INT8 };
static const cl_image_desc a_desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4 };

/* clang-format off */
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
	cl_int: NUMBER, cl_uint: NUMBER, cl_ulong: NUMBER,						\
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
