/* made_ascend.h - a second trace made by hand, with all that Ascend's rows bring: every kind, definition and control. */
#pragma once
#include "tests/lib/made_trace.h"

/* Entry points have the numbers of their kinds. */
static const char *const made_names[EV_KINDS] = {
	[EV_LAUNCH] = "aclrtLaunchKernelWithHostArgs",
	[EV_COPY] = "aclrtMemcpyBatchAsync",
	[EV_FILL] = "aclrtMemsetAsync",
	[EV_MAP] = "aclrtMapMem",
	[EV_ALLOC] = "aclrtMalloc",
	[EV_FREE] = "aclrtFree",
	[EV_OPERATOR] = "aclnn*",
	[EV_SYNC] = "aclrtSynchronizeStream",
	[EV_STREAM] = "aclrtCreateStream",
	[EV_EVENT] = "aclrtRecordEvent",
	[EV_MODULE] = "aclrtBinaryLoadFromFile",
	[EV_GRAPH] = "aclmdlRICaptureBegin",
	[EV_RESOLVE] = "aclrtBinaryGetFunction",
	[EV_REFERENCE] = "aclrtIpcMemImportByKey",
	[EV_COLLECTIVE] = "HcclAllReduce",
	[EV_COMMUNICATOR] = "HcclCommInitRootInfo",
	[EV_MARKER] = "mstxMarkA",
	[EV_PREPARE] = "aclnn*GetWorkspaceSize",
	[EV_POOL_ALLOC] = "mstxMemRegionsRegister",
	[EV_POOL_FREE] = "mstxMemRegionsUnregister",
};
enum { RANGE_START = EV_KINDS,
       RANGE_END };

enum { NAME_ADD = 1,
       NAME_FIRST_PHASE,
       NAME_KERNEL,
       NAME_MESSAGE,
       NAME_DOMAIN };
enum { LAUNCH_ADD = 1,
       LAUNCH_FIRST_PHASE,
       LAUNCH_KERNEL,
       LAUNCH_GRAPH };
#define PLAN 0x5000

static void define_names(void)
{
	static const char *const strings[] = { "aclnnAdd", "aclnnAddGetWorkspaceSize", "AddKernel", "step 4", "default" };

	for (unsigned int kind = 0; kind < EV_KINDS; kind++)
		maker_hook(&maker, (uint16_t)kind, kind, made_names[kind]);
	maker_hook(&maker, RANGE_START, EV_MARKER, "mstxRangeStartA");
	maker_hook(&maker, RANGE_END, EV_MARKER, "mstxRangeEnd");
	for (unsigned int i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		maker_define(&maker, DEF_STRING, i + 1, NULL, 0, strings[i]);
	for (unsigned int id = LAUNCH_ADD; id <= LAUNCH_KERNEL; id++) {
		struct {
			struct def_launch launch;
			uint64_t shared;
		} d = { { .name = id, .dimensions = id == LAUNCH_KERNEL, .global = { 48 } }, 4096 };

		maker_define(&maker, DEF_LAUNCH, id, &d, id == LAUNCH_KERNEL ? sizeof(d) : sizeof(d.launch), "");
	}
}

/* Two tensors of three, the second with two dimensions of ten. */
static void define_shapes(void)
{
	struct def_shapes head = { .tensors = 2, .left_out = 1 };
	struct def_tensor first = { .type = DATA_BF16, .format = FORMAT_ND, .dimensions = 3, .dimension = { 2, 3, -1 } };
	struct def_tensor second = { .type = DATA_INT64, .format = FORMAT_FRACTAL_NZ, .dimensions = 2, .left_out = 8, .dimension = { 16, 5 } };
	uint8_t body[256];
	size_t n = sizeof(head);

	memcpy(body, &head, n);
	memcpy(body + n, &first, DEF_TENSOR_BYTES(3));
	n += DEF_TENSOR_BYTES(3);
	memcpy(body + n, &second, DEF_TENSOR_BYTES(2));
	maker_define(&maker, DEF_SHAPES, LAUNCH_ADD, body, n + DEF_TENSOR_BYTES(2), "");
}

/* Three kernels of four have names, one of them one that is lost. */
static void define_graph(void)
{
	struct def_launch launch = { .name = 0 };
	struct {
		struct def_graph head;
		struct def_graph_kernel kernels[3];
	} graph = { { .nodes = 9, .kernels = 7, .names = 3, .others = 1 }, { { NAME_KERNEL, 2 }, { NAME_ADD, 3 }, { 99, 1 } } };

	maker_define(&maker, DEF_GRAPH, LAUNCH_GRAPH, &graph, sizeof(graph), "");
	maker_define(&maker, DEF_LAUNCH, LAUNCH_GRAPH, &launch, sizeof(launch), "");
}

/* Device 1 by events, device 2 the same one by msPTI: each with a stream, and a clock. */
static void define_devices(void)
{
	struct def_device_clock clock = { .device_ns = 5000000, .ticks = 0, .width = 50 };
	struct def_stream stream = { .handle = 0xabc };

	for (stream.device = 1; stream.device <= 2; stream.device++) {
		maker_define(&maker, DEF_DEVICE, stream.device, NULL, 0, "Ascend910B 0");
		maker_define(&maker, DEF_TIME_SOURCE, stream.device, NULL, 0, stream.device == 1 ? "events" : "mspti");
		maker_define(&maker, DEF_DEVICE_CLOCK, stream.device, &clock, sizeof(clock), "");
		maker_define(&maker, DEF_STREAM, stream.device, &stream, sizeof(stream), "");
	}
}

static void define_others(void)
{
	struct def_communicator communicator = { .handle = 0xc0, .group = 77, .rank = 1, .size = 2 };
	struct def_collective collective = { .communicator = 1, .count = 1024, .type = DATA_FP16, .reduction = REDUCE_SUM, .peer = -1 };
	struct def_marker marker = { .message = NAME_MESSAGE, .domain = NAME_DOMAIN };
	struct def_pool pool = { .domain = NAME_DOMAIN, .device = 0 }, stock = { .device = 0, .stock = 1 };

	maker_define(&maker, DEF_LIBRARY, 1, NULL, 0, "/usr/local/Ascend/lib64/libascendcl.so");
	maker_define(&maker, DEF_IDENTITY, 0, NULL, 0, "rank=1\nrank_source=RANK\n");
	maker_define(&maker, DEF_COMMUNICATOR, 1, &communicator, sizeof(communicator), "hccl_world");
	maker_define(&maker, DEF_COLLECTIVE, 1, &collective, sizeof(collective), "");
	maker_define(&maker, DEF_MARKER, 1, &marker, sizeof(marker), "");
	maker_define(&maker, DEF_POOL, 1, &pool, sizeof(pool), "");
	maker_define(&maker, DEF_POOL, 2, &stock, sizeof(stock), "");
	maker_epoch(&maker, 2, 4, 500, 50000);
	maker_epoch(&maker, 3, 5, 50000, 0);
}

/* Code whose instructions have a line each, from its first on; and what the interpreter did, between two modules. */
static void define_stacks(void)
{
	static const uint8_t table[] = { 2, 0, 2, 1, 2, 1 };
	struct {
		struct def_code code;
		char text[23];
		uint8_t table[sizeof(table)];
	} code = { { .first_line = 40, .lines = sizeof(table), .name = 10, .file = 13, .table = LINES_3_10 }, "train_step/job/train.py", { 0 } };
	struct {
		struct def_module module;
		uint8_t build_id[4];
	} module = { { .build_id = 4 }, { 0xde, 0xad, 0xbe, 0xef } };
	struct {
		struct def_stack head;
		struct def_frame frames[3];
	} python = { { .frames = 3, .kind = STACK_PYTHON, .truncated = 1 }, { { 1, 4 }, { 99, 8 }, { 1, 0 } } },
	  native = { { .frames = 3, .kind = STACK_NATIVE }, { { 1, 0x1234 }, { 2, 0x5678 }, { 0, 0x7f0000001000 } } };

	memcpy(code.table, table, sizeof(table));
	maker_define(&maker, DEF_CODE, 1, &code, sizeof(code.code) + sizeof(code.text) + sizeof(table), "");
	maker_define(&maker, DEF_MODULE, 1, &module, sizeof(module.module) + 4, "/a/libtorch_npu.so");
	maker_define(&maker, DEF_MODULE, 2, &(struct def_module){ 0 }, sizeof(struct def_module), "/usr/bin/python3.11");
	maker_define(&maker, DEF_STACK, 1, &python, sizeof(python), "");
	maker_define(&maker, DEF_STACK, 2, &native, sizeof(native), "");
}

#define CALL(at, kind, ...)                                                        \
	{                                                                          \
		.begin = 1000 * (at), .duration = 500, .hook = (kind), __VA_ARGS__ \
	}
#define DEVICE(at, ns, of, slot, id, number)                                                               \
	{                                                                                                  \
		.begin = 5000000 + 1000 * (at), .duration = (ns), .hook = CTRL_DEVICE, .stream = (number), \
		.key = (id), .arg = DEVICE_REF(1, of, slot)                                                \
	}

/* One thread: step 4 with one of everything, the first of step 5. Places are those that CTRL_DEVICE speaks of. */
static void put_calls(void)
{
	static const struct event slots[] = {
		[0] = CALL(1, EV_COMMUNICATOR, .key = 1),
		[1] = CALL(2, RANGE_START, .key = 1, .arg = 9),
		[2] = CALL(3, EV_PREPARE, .key = LAUNCH_FIRST_PHASE, .arg = PLAN),
		[3] = { .begin = 4100, .duration = 200, .hook = EV_LAUNCH, .stream = 1, .key = LAUNCH_KERNEL },
		[4] = CALL(4, EV_OPERATOR, .stream = 1, .key = LAUNCH_ADD, .arg = PLAN),
		[5] = CALL(5, EV_COLLECTIVE, .stream = 1, .key = 1, .arg = 2048),
		[6] = CALL(6, EV_COPY, .stream = 1, .key = 0x1000, .arg = EVENT_ARG(4096, DIR_D2H)),
		[7] = { .hook = CTRL_ADDRESS, .key = 0x2000 },
		[8] = { .hook = CTRL_ITEMS, .key = 3 },
		[9] = CALL(7, EV_FILL, .stream = 1, .key = 0x1000, .arg = 256),
		[10] = CALL(8, EV_MAP, .key = 0x3000, .arg = 512),
		[11] = CALL(9, EV_ALLOC, .key = 0x10000, .arg = 8192),
		[12] = CALL(10, EV_POOL_ALLOC, .stream = 2, .key = 0x10000, .arg = 8192),
		[13] = CALL(11, EV_POOL_ALLOC, .stream = 1, .key = 0x10000, .arg = 512),
		[14] = { .begin = 11000, .hook = CTRL_GIVEN, .stream = 1, .key = 0x10200, .arg = 1024 },
		[15] = CALL(12, EV_POOL_FREE, .stream = 1, .key = 0x10000, .arg = 512),
		[16] = { .begin = 12000, .hook = CTRL_FREED, .stream = 1, .key = 0x10200 },
		[17] = CALL(13, EV_SYNC, .stream = 1),
		[18] = { .hook = CTRL_LONG, .key = 1ull << 33 },
		[19] = CALL(14, EV_STREAM, .key = 0xdef),
		[20] = CALL(15, EV_EVENT, .stream = 1, .key = 0xeee),
		[21] = CALL(16, EV_MODULE, .key = 0xb1),
		[22] = CALL(17, EV_GRAPH, .stream = 1),
		[23] = CALL(18, EV_RESOLVE, .key = 0xf1),
		[24] = CALL(19, EV_REFERENCE, .key = 0x10000),
		[25] = CALL(20, EV_MARKER, .stream = 1, .key = 1),
		[26] = { .hook = CTRL_NESTED },
		[27] = CALL(21, RANGE_END, .key = 1, .arg = 9),
		[28] = CALL(22, EV_OPERATOR, .stream = 2, .key = LAUNCH_ADD, .arg = PLAN),
		[29] = { .hook = CTRL_RESULT, .key = 561002 },
		[30] = CALL(23, EV_FREE, .key = 0x10000),
		[31] = { .begin = 24000, .hook = CTRL_LOST, .key = 3, .arg = 26000 },
		[32] = { .hook = CTRL_STEP, .key = 3 },
		[33] = CALL(60, EV_LAUNCH, .stream = 2, .key = LAUNCH_KERNEL),
		[34] = { .hook = CTRL_THREAD, .key = 22 },
		[35] = CALL(61, EV_OPERATOR, .stream = 1, .key = LAUNCH_ADD, .arg = PLAN + 64),
		[36] = { .hook = CTRL_STACK, .key = 1, .arg = STACK_ARG(0, STACK_CALLER) },
		[37] = DEVICE(5, 700, EV_OPERATOR, 4, LAUNCH_ADD, 1),
		[38] = DEVICE(5, 690, EV_LAUNCH, 3, LAUNCH_KERNEL, 2),
		[39] = DEVICE(7, UINT32_MAX, EV_COLLECTIVE, 5, 1, 1),
		[40] = { .hook = CTRL_LONG, .key = 5ull << 32 },
		[41] = DEVICE(62, 710, EV_LAUNCH, 33, LAUNCH_KERNEL, 2),
		[42] = CALL(64, EV_LAUNCH, .stream = 1, .key = LAUNCH_GRAPH),
		[43] = CALL(65, EV_COPY, .stream = 1, .key = 0x1000, .arg = EVENT_ARG(16, DIR_D2H)),
		[44] = { .hook = CTRL_CAPTURED },
		[45] = { .hook = CTRL_STACK, .arg = STACK_ARG(0, STACK_IN_QUEUE) },
		[46] = CALL(66, EV_POOL_ALLOC, .stream = 1, .key = 0x20000, .arg = 256),
		[47] = { .hook = CTRL_TOTALS, .key = 1 << 20, .arg = 4 << 20 },
		[48] = { .hook = CTRL_STACK, .key = 1, .arg = STACK_ARG(2, STACK_ASKED) },
	};
	size_t n = sizeof(slots) / sizeof(*slots);

	must(!maker_events(&maker, 1, 21, 2, 0, slots, n, 29 + 3, 3));
}

__attribute__((unused)) static void make_ascend_trace(void)
{
	open_file();
	maker_clock(&maker, 0);
	maker_text(&maker, CHUNK_FILE, "host=h\npid=42\nrank=1\nrank_source=RANK\nworld=2\nclock=ns\nlevel=level1\n"
				       "contents=cpu,npu,memory,shapes\nascend_gate=both\nwindow=steps-4-5\n");
	define_names();
	define_shapes();
	define_graph();
	define_devices();
	define_others();
	define_stacks();
	maker_put_defs(&maker);
	put_calls();
	maker_clock(&maker, 1000000);
	maker_text(&maker, CHUNK_END, "reason=window\nentered=32\ndropped=3\nuntimed=3\ncause=none\nstep_source=python:\nlast_step=5\n"
				      "boundaries=2\ntotals=1\nunrecorded.aclrtGetDevice=4\nlibrary=/a/libascendcl.so\n");
}
