/*
 * two_ranks FOLDER [STEPS [wild | huge | late | cuda | marked | lossy | products]] - traces of two ranks, rank0.rtrace and rank1.rtrace, with all that readers of a profile tell apart:
 * operators with launches inside, copies, a fill, a collective that overlaps with a kernel, memory. All times are whole microseconds. Of the
 * collective there is the device time; on rank 1 that of the kernel that it launched, too. wild: kernels have names of control characters,
 * of what is no text, and of 60,000 letters; in the middle the clock is set back by an hour, and calls are dropped. huge: so, but of 2 MiB. late: on rank 1 a second
 * thread is in an operator as a step ends. cuda: CUDA's calls in place of Ascend's. marked: a range of the domain Module around the operator, and
 * one, forward, that is given a stream. lossy: on rank 1 a thread finds its buffer full three times in step 2, in critic, the second of the two stages
 * that each rank has there. products: the operator has shapes and device times: [64,128] by [128,32], which on rank 1 do not fit.
 */
#include <stdio.h>

#include "tests/lib/small_traces.h"

#define STEP   100000ull  /* ns */
#define DEVICE 5000000ull /* the device's clock is so far ahead */

enum { HOOK_FILL = HOOK_FREE + 1,
       HOOK_OPERATOR,
       HOOK_COLLECTIVE,
       HOOK_SYNC,
       HOOK_RANGE_START,
       HOOK_RANGE_END };
enum { NAME_OPERATOR = 1,
       NAME_MATMUL,
       NAME_GELU,
       NAME_RING,
       NAME_LAYER,
       NAME_MODULE,
       NAME_FORWARD };
enum { MARKER_LAYER = 1,
       MARKER_FORWARD };

static const struct {
	uint16_t hook;
	enum event_kind kind;
	const char *of_ascend, *of_cuda;
} calls[] = {
	{ HOOK_LAUNCH, EV_LAUNCH, "aclrtLaunchKernelWithHostArgs", "cudaLaunchKernel" },
	{ HOOK_COPY, EV_COPY, "aclrtMemcpyAsync", "cudaMemcpyAsync" },
	{ HOOK_ALLOC, EV_ALLOC, "aclrtMalloc", "cudaMalloc" },
	{ HOOK_FREE, EV_FREE, "aclrtFree", "cuMemFree_v2" },
	{ HOOK_FILL, EV_FILL, "aclrtMemsetAsync", "cudaMemsetAsync" },
	{ HOOK_OPERATOR, EV_OPERATOR, "aclnnMatmul", "cublasSgemm_v2" },
	{ HOOK_COLLECTIVE, EV_COLLECTIVE, "HcclAllReduce", "ncclAllReduce" },
	{ HOOK_SYNC, EV_SYNC, "aclrtSynchronizeDevice", "cudaDeviceSynchronize" },
};

static struct maker maker;
static unsigned int rank;
static bool wild, huge, late, cuda, marked, lossy, products;
static uint64_t slot; /* of the next event */
static uint64_t dropped;

static void fill_name(char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		name[i] = (char)('a' + i % 26);
}

static const char *long_name(void)
{
	static char name[60001];

	fill_name(name, sizeof(name) - 1);
	return name;
}

/* In place of the long one, which stands in the maker's own room. */
static void put_huge_name(void)
{
	enum { LENGTH = 2 << 20 };
	static uint8_t room[sizeof(struct definition) + LENGTH];
	struct definition d = { .type = DEF_STRING, .length = sizeof(room), .id = NAME_RING };
	struct chunk_header h = { .type = CHUNK_DEFS };

	memcpy(room, &d, sizeof(d));
	fill_name((char *)room + sizeof(d), LENGTH);
	must(!chunk_writer_put(&maker.w, &h, room, sizeof(room)));
}

static void define_names(void)
{
	const char *const plain[] = { cuda ? "cublasSgemm_v2" : "aclnnMatmul", "MatmulKernel", "GeluKernel", "RingKernel" };
	const char *const others[] = { "aclnn\"Mat\\mul\",", "Matmul\n\x1b[2J\x07Kernel\r", "Gelu\xff\xfe\xc3Kernel", long_name() };
	const char *const *names = wild ? others : plain;

	for (unsigned int i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		maker_hook(&maker, calls[i].hook, calls[i].kind, cuda ? calls[i].of_cuda : calls[i].of_ascend);
	for (unsigned int i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		struct def_launch launch = { .name = i + 1 };

		if (!huge || i + 1 != NAME_RING)
			maker_define(&maker, DEF_STRING, i + 1, NULL, 0, names[i]);
		maker_define(&maker, DEF_LAUNCH, i + 1, &launch, sizeof(launch), "");
	}
	must(!maker_put_defs(&maker));
	if (huge)
		put_huge_name();
}

static void define_range(uint16_t id, const char *name, uint8_t flag)
{
	struct def_hook hook = { .kind = EV_MARKER, .flags = flag };

	maker.kinds |= 1u << EV_MARKER;
	maker_define(&maker, DEF_HOOK, id, &hook, sizeof(hook), name);
}

static void define_markers(void)
{
	struct def_marker layer = { .message = NAME_LAYER, .domain = NAME_MODULE }, forward = { .message = NAME_FORWARD };

	define_range(HOOK_RANGE_START, "mstxDomainRangeStartA", DEF_HOOK_BEGINS);
	define_range(HOOK_RANGE_END, "mstxDomainRangeEnd", DEF_HOOK_ENDS);
	maker_define(&maker, DEF_STRING, NAME_LAYER, NULL, 0, "Layer");
	maker_define(&maker, DEF_STRING, NAME_MODULE, NULL, 0, "Module");
	maker_define(&maker, DEF_STRING, NAME_FORWARD, NULL, 0, "forward");
	maker_define(&maker, DEF_MARKER, MARKER_LAYER, &layer, sizeof(layer), "");
	maker_define(&maker, DEF_MARKER, MARKER_FORWARD, &forward, sizeof(forward), "");
	must(!maker_put_defs(&maker));
}

static void define_others(unsigned int steps)
{
	struct def_communicator communicator = { .handle = 0xc0, .group = 77, .rank = (int32_t)rank, .size = 2 };
	struct def_collective collective = { .communicator = 1, .count = 1024, .type = DATA_FP16, .reduction = REDUCE_SUM, .peer = -1 };
	struct def_device_clock clock = { .device_ns = DEVICE, .ticks = 0, .width = 50 };
	struct def_stream stream = { .handle = 0xabc, .device = 1 };

	maker_define(&maker, DEF_DEVICE, 1, NULL, 0, "a device");
	maker_define(&maker, DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), "");
	maker_define(&maker, DEF_TIME_SOURCE, 1, NULL, 0, "events");
	maker_define(&maker, DEF_STREAM, 1, &stream, sizeof(stream), "");
	maker_define(&maker, DEF_STREAM, 2, &stream, sizeof(stream), "");
	maker_define(&maker, DEF_COMMUNICATOR, 1, &communicator, sizeof(communicator), "hccl_world");
	maker_define(&maker, DEF_COLLECTIVE, 1, &collective, sizeof(collective), "");
	must(!maker_put_defs(&maker));
	for (unsigned int step = 1; step <= steps; step++) {
		maker_epoch(&maker, step + 1, step, step * STEP, (step + 1) * STEP);
		if (maker.defs_size > sizeof(maker.defs) / 2)
			must(!maker_put_defs(&maker));
	}
}

static void put_step(unsigned int step)
{
	const uint64_t t = step * STEP;
	const struct event slots[] = {
		{ .begin = t + 1000, .duration = 500, .hook = HOOK_ALLOC, .key = 0x1000, .arg = 4096 * (step % 3 + 1) },
		{ .begin = t + 3100, .duration = 200, .hook = HOOK_LAUNCH, .stream = 1, .key = NAME_MATMUL },
		{ .begin = t + 3000, .duration = 500, .hook = HOOK_OPERATOR, .stream = 1, .key = NAME_OPERATOR },
		{ .begin = t + 5000, .duration = 500, .hook = HOOK_COPY, .stream = 1, .key = 0x1000, .arg = EVENT_ARG(4096, DIR_H2D) },
		{ .begin = t + 7100, .duration = 200, .hook = HOOK_LAUNCH, .stream = 2, .key = NAME_RING },
		{ .begin = t + 7000, .duration = 500, .hook = HOOK_COLLECTIVE, .stream = 2, .key = 1, .arg = 2048 },
		{ .begin = t + 9000, .duration = 500, .hook = HOOK_LAUNCH, .stream = 1, .key = NAME_GELU },
		{ .begin = t + 10000, .duration = 500, .hook = HOOK_FILL, .stream = 1, .key = 0x1000, .arg = 256 },
		{ .begin = t + 11000, .duration = 500, .hook = HOOK_COPY, .stream = 1, .key = 0x1000, .arg = EVENT_ARG(1024, DIR_D2H) },
		{ .begin = t + 12000, .duration = 60000, .hook = HOOK_SYNC },
		{ .begin = t + 75000, .duration = 500, .hook = HOOK_FREE, .key = 0x1000 },
#define TIME(at, ns, of, place, id, number)                                                                                                                            \
	{                                                                                                                                                              \
		.begin = DEVICE + t + (at), .duration = (uint32_t)(ns), .hook = CTRL_DEVICE, .key = (id), .stream = (number), .arg = DEVICE_REF(1, of, slot + (place)) \
	}
		TIME(10000, 20000 + 1000 * rank, HOOK_LAUNCH, 1, NAME_MATMUL, 1),
		TIME(35000, 2000, HOOK_COPY, 3, 0, 1),
		TIME(37000, 15000, HOOK_COLLECTIVE, 5, 1, 2),
		TIME(45000, 12000, HOOK_LAUNCH, 6, NAME_GELU, 1),
		TIME(58000, 1000, HOOK_FILL, 7, 0, 1),
		TIME(60000, 3000, HOOK_COPY, 8, 0, 1),
		TIME(38000, 12000, HOOK_LAUNCH, 4, NAME_RING, 2),
	};
	const size_t n = sizeof(slots) / sizeof(*slots) - !rank;

	must(!maker_events(&maker, 1, 20 + rank, step + 1, slot, slots, n, 11 * step + dropped, dropped));
	slot += n;
}

/* On a thread of its own, as far as calls go: the first range, of the host, is around the operator; the second is where the first two kernels are. */
static void put_ranges(unsigned int step)
{
	const uint64_t t = step * STEP, first = 5 * (uint64_t)(step - 1);
	const struct event slots[] = {
		{ .begin = t + 2000, .duration = 100, .hook = HOOK_RANGE_START, .key = MARKER_LAYER, .arg = 2 * step },
		{ .begin = t + 2500, .duration = 100, .hook = HOOK_RANGE_START, .stream = 1, .key = MARKER_FORWARD, .arg = 2 * step + 1 },
		{ .begin = t + 4000, .duration = 100, .hook = HOOK_RANGE_END, .key = MARKER_LAYER, .arg = 2 * step },
		{ .begin = t + 6000, .duration = 100, .hook = HOOK_RANGE_END, .key = MARKER_FORWARD, .arg = 2 * step + 1 },
		{ .begin = DEVICE + t + 9000,
		  .duration = 30000,
		  .hook = CTRL_DEVICE,
		  .key = MARKER_FORWARD,
		  .stream = 1,
		  .arg = DEVICE_REF(2, HOOK_RANGE_START, first + 1) },
	};

	must(!maker_events(&maker, 2, 20 + rank, step + 1, first, slots, 5, 4 * step, 0));
}

static void put_late_operator(unsigned int step)
{
	const struct event operator= { .begin = (step + 1) * STEP - 2000, .duration = 4000, .hook = HOOK_OPERATOR, .stream = 1, .key = NAME_OPERATOR };

	must(!maker_events(&maker, 2, 30, step + 1, step - 1, &operator, 1, step, 0));
}

static void define_stages(void)
{
	const struct def_stage actor = { .step = 2, .begin = 2 * STEP, .end = 2 * STEP + STEP / 2 };
	const struct def_stage critic = { .step = 2, .begin = actor.end, .end = 3 * STEP };

	maker_define(&maker, DEF_STAGE, 1, &actor, sizeof(actor), "actor");
	maker_define(&maker, DEF_STAGE, 2, &critic, sizeof(critic), "critic");
	must(!maker_put_defs(&maker));
}

/* On rank 1 there are too few rows to multiply by. */
static void define_shapes(void)
{
	const struct tensor {
		uint8_t type, format, dimensions, left_out;
		uint32_t reserved;
		int64_t dimension[2];
	} tensors[] = {
		{ DATA_FP16, FORMAT_ND, 2, 0, 0, { 64, 128 } },
		{ DATA_FP16, FORMAT_ND, 2, 0, 0, { rank ? 100 : 128, 32 } },
		{ DATA_FP16, FORMAT_ND, 2, 0, 0, { 64, 32 } },
	};
	struct {
		struct def_shapes shapes;
		struct tensor tensors[3];
	} all = { .shapes = { .tensors = 3 } };

	memcpy(all.tensors, tensors, sizeof(tensors));
	maker_define(&maker, DEF_SHAPES, NAME_OPERATOR, &all, sizeof(all), "");
	must(!maker_put_defs(&maker));
}

/* Of the operator in the step that was put last. */
static void put_operator_time(unsigned int step, uint64_t first)
{
	const struct event time = {
		.begin = DEVICE + step * STEP + 10000,
		.duration = 20000,
		.hook = CTRL_DEVICE,
		.key = NAME_OPERATOR,
		.stream = 1,
		.arg = DEVICE_REF(1, HOOK_OPERATOR, first + 2),
	};

	must(!maker_events(&maker, 1, 20 + rank, step + 1, slot++, &time, 1, 11 * step + dropped, dropped));
}

static void put_loss(unsigned int step)
{
	const uint64_t t = step * STEP;
	const struct event lost = { .begin = t + 80000, .hook = CTRL_LOST, .key = 3, .arg = t + 82000 };

	dropped += lost.key;
	must(!maker_events(&maker, 1, 20 + rank, step + 1, slot++, &lost, 1, 11 * step + dropped, dropped));
}

static void make(const char *folder, unsigned int steps)
{
	maker_open_rank(&maker, folder, rank, "cpu,npu,memory");
	slot = 0;
	define_names();
	if (marked)
		define_markers();
	define_others(steps);
	if (lossy)
		define_stages();
	if (products)
		define_shapes();
	must(!maker_put_defs(&maker));
	for (unsigned int step = 1; step <= steps; step++) {
		const uint64_t first = slot;

		maker_clock(&maker, step * STEP);
		if (wild && step > steps / 2) {
			maker.w.clock.realtime -= 3600000000000ull;
			dropped = 5;
		}
		put_step(step);
		if (products)
			put_operator_time(step, first);
		if (marked)
			put_ranges(step);
		if (late && rank == 1)
			put_late_operator(step);
		if (lossy && rank == 1 && step == 2)
			put_loss(step);
	}
	dropped = 0;
	maker_end_rank(&maker, steps * STEP + 1000000);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	huge = argc > 3 && !strcmp(argv[3], "huge");
	wild = huge || (argc > 3 && !strcmp(argv[3], "wild"));
	late = argc > 3 && !strcmp(argv[3], "late");
	cuda = argc > 3 && !strcmp(argv[3], "cuda");
	marked = argc > 3 && !strcmp(argv[3], "marked");
	lossy = argc > 3 && !strcmp(argv[3], "lossy");
	products = argc > 3 && !strcmp(argv[3], "products");
	for (rank = 0; rank < 2; rank++)
		make(argv[1], argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 3);
	return 0;
}
