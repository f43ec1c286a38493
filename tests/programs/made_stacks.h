/*
 * made_stacks.h - who asks for the kernels of made_run.c: matmul and norm two lines of /job/model.py, through PyTorch; relu the thread of a
 * framework's queue; add what a library's thread runs, and no line of the job's; adam a line of /job/train.py through native code. extra
 * has a stack whose definition is lost.
 */
#pragma once
#include "tests/programs/made_rank.h"

enum { CODE_MODULE = 1, /* <module>, train.py */
       CODE_STEP,	/* train_step, train.py */
       CODE_FORWARD,	/* Layer.forward, model.py */
       CODE_LINEAR,	/* linear, of a library */
       CODE_THREAD,	/* Thread.run, of Python's own */
       CODE_IMPORTED,	/* of importlib, which is frozen */
       CODES };

static void stacks_code(struct maker *m, uint64_t id, const char *name, const char *file, uint32_t first)
{
	static const uint8_t each_line[] = { 2, 0, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1 };
	struct {
		struct def_code code;
		char rest[256];
	} d = { { .first_line = first, .lines = sizeof(each_line), .name = (uint16_t)strlen(name), .file = (uint16_t)strlen(file), .table = LINES_3_10 }, "" };
	int n = snprintf(d.rest, sizeof(d.rest), "%s%s", name, file);

	memcpy(d.rest + n, each_line, sizeof(each_line));
	maker_define(m, DEF_CODE, id, &d, sizeof(d.code) + (size_t)n + sizeof(each_line), "");
}

/* Frames as code and line behind its first, innermost first; 0: no more. */
static void stacks_stack(struct maker *m, uint64_t id, const unsigned int (*frames)[2])
{
	struct {
		struct def_stack head;
		struct def_frame frames[8];
	} d = { .head = { .kind = STACK_PYTHON } };

	for (; frames[d.head.frames][0]; d.head.frames++)
		d.frames[d.head.frames] = (struct def_frame){ frames[d.head.frames][0], 2 * frames[d.head.frames][1] };
	maker_define(m, DEF_STACK, id, &d, sizeof(d.head) + d.head.frames * sizeof(*d.frames), "");
}

#define NATIVE 100

static void stacks_native(struct maker *m)
{
	struct {
		struct def_stack head;
		struct def_frame frames[6];
	} d = { { .frames = 6, .kind = STACK_NATIVE }, { { 1, 0x1000 }, { 2, 0x2000 }, { 2, 0x3000 }, { 1, 0x4000 }, { 2, 0x5000 }, { 0, 0x6000 } } };
	struct def_module without_id = { 0 };

	maker_define(m, DEF_MODULE, 1, &without_id, sizeof(without_id), "/lib/libtorch.so");
	maker_define(m, DEF_MODULE, 2, &without_id, sizeof(without_id), "/usr/lib/libpython3.10.so.1.0");
	maker_define(m, DEF_STACK, NATIVE, &d, sizeof(d), "");
}

static void stacks_define(struct maker *m)
{
	static const unsigned int stacks[][6][2] = {
		[MATMUL] = { { CODE_LINEAR, 3 }, { CODE_FORWARD, 1 }, { CODE_STEP, 2 }, { CODE_MODULE, 5 } },
		[NORM] = { { CODE_LINEAR, 4 }, { CODE_FORWARD, 2 }, { CODE_STEP, 2 }, { CODE_MODULE, 5 } },
		[ADD] = { { CODE_IMPORTED, 0 }, { CODE_LINEAR, 3 }, { CODE_THREAD, 1 } },
		[ADAM] = { { CODE_STEP, 4 }, { CODE_MODULE, 5 } },
	};

	stacks_code(m, CODE_MODULE, "<module>", "/job/train.py", 10);
	stacks_code(m, CODE_STEP, "train_step", "/job/train.py", 40);
	stacks_code(m, CODE_FORWARD, "Layer.forward", "/job/model.py", 70);
	stacks_code(m, CODE_LINEAR, "linear", "/job/venv/lib/python3.10/site-packages/torch/functional.py", 100);
	stacks_code(m, CODE_THREAD, "Thread.run", "/usr/lib/python3.10/threading.py", 900);
	stacks_code(m, CODE_IMPORTED, "_call_with_frames_removed", "<frozen importlib._bootstrap>", 200);
	for (uint64_t kernel = 0; kernel < sizeof(stacks) / sizeof(*stacks); kernel++)
		stacks_stack(m, 1 + kernel, stacks[kernel]);
	stacks_native(m);
}

/* Behind a launch of this kernel. */
static struct event stack_of_kernel(uint64_t kernel)
{
	if (kernel == RELU)
		return (struct event){ .hook = CTRL_STACK, .arg = STACK_ARG(0, STACK_IN_QUEUE) };
	return (struct event){ .hook = CTRL_STACK, .key = kernel == EXTRA ? 99 : 1 + kernel, .arg = STACK_ARG(kernel == ADAM ? NATIVE : 0, STACK_CALLER) };
}
