/* driver.h - what the parts of libcuda.so.1 know of each other. */
#pragma once

#include "tests/sims/cuda/declare.h"
#include "tests/sims/cuda/threads.h"
#include "tests/sims/lib/clock.h"
#include "tests/sims/lib/copies.h"

/* ---- driver_devices.c ---- */

int driver_ready(void);	       /* cuInit was called, or 3 */
int driver_device(int device); /* there is one of this number, or 101 */

/* ---- driver_contexts.c ---- */

struct context {
	uint32_t magic;
	int device, holders;
	unsigned int life; /* the how manyth: a primary one that nobody holds is another one when it is held again */
	unsigned int flags;
	uint64_t id;
	void *legacy; /* its default stream, that of stream 0 and 1 */
};

struct context *driver_context(void);		  /* of the calling thread, or NULL */
int driver_stream(CUstream given, void **stream); /* 0, 1, 2 or one that was made */
int driver_stream_new(struct context *context, bool blocking, void **stream);

/* ---- driver_capture.c ---- */

int driver_may(void *stream);			       /* may work be given to it? Else why not */
int driver_unsafe(void);			       /* what a capture of the global mode forbids: 900, and it is invalid */
int driver_spoiled(void *stream, int rc);	       /* rc; the stream's capture is invalid */
int driver_any_capture(const struct context *context); /* 900 if one of its streams is being captured */
int driver_submit(CUstream given, const struct sim_task *task);

/* ---- driver_modules.c ---- */

struct function {
	uint32_t magic; /* SIM_FUNCTION */
	struct module *module;
	const char *name;
	const struct sim_kernel *code; /* NULL: it is only time */
	struct kernel {
		uint32_t magic; /* SIM_KERNEL_HANDLE */
		struct function *function;
	} kernel;
	struct function *next;
};
struct function *driver_function(void *handle); /* of a CUfunction or a CUkernel; or NULL */

/* ---- driver_launches.c ---- */

/* The arguments of a kernel's task, whose parameters lie behind it. */
struct launch {
	struct function *function;
	unsigned int grid[3], block[3], shared;
	bool has_params;
};
int driver_launch_of(void *handle, const unsigned int *grid, const unsigned int *block, unsigned int shared, void **params,
		     struct sim_task *task); /* task->args are to be freed */
void **driver_params(const struct launch *launch, void **pointers);
