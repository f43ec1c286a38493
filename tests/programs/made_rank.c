#include "tests/programs/made_rank.h"

#include "tests/programs/made_stacks.h"

#define GAP	       10000
#define LATENCY	       2000
#define TRANSFER       200000

#define OPERATORS_FROM 1000000 /* ids of what they are called */

enum { HOOK_SYNC = HOOK_FREE + 1,
       HOOK_BUILD,
       HOOK_CALL,
       HOOK_MEET,
       HOOK_POOL,
       HOOK_POOL_FREE,
       HOOK_BEGIN,
       HOOK_END,
       HOOK_OPERATOR };
enum { NAME_RANGE = KERNELS + 1,
       NAME_POOL };

const struct day usual = {
	.kernels = { { 600000, 2, false }, { 200000, 1, false }, { 100000, 1, false }, { 100000, 1, false }, { 500000, 1, false }, { 300000, 0, false } },
	.pause = 200000,
};

/* Within 1 % of it. */
static uint64_t about(struct rank *r, uint64_t ns)
{
	if (made.exact)
		return ns;
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return ns + ns * (r->state % 1000) / 100000;
}

/* ---- events ---- */

static void put(struct rank *r, struct event ev)
{
	if (r->count == r->capacity) {
		r->capacity = 2 * r->capacity + 64;
		r->events = realloc(r->events, r->capacity * sizeof(*r->events));
		must(r->events);
	}
	r->events[r->count++] = ev;
	r->calls += ev.hook < CTRL_FIRST;
}

/* A call, and that its time is over. */
static void call(struct rank *r, uint16_t hook, uint64_t ns, uint64_t key, uint64_t arg)
{
	bool known = !made.level0 || (hook != HOOK_SYNC && hook != HOOK_BUILD && hook != HOOK_CALL);

	if (known)
		put(r, (struct event){ .begin = r->now, .duration = (uint32_t)ns, .hook = hook, .key = key, .arg = arg });
	r->now += ns;
}

/* What the last call gave to the device. */
static void work(struct rank *r, uint16_t hook, uint64_t begin, uint64_t ns, uint64_t key)
{
	size_t of = r->count - 1;

	r->events[of].stream = 1;
	if (made.stacks && hook == HOOK_LAUNCH)
		put(r, stack_of_kernel((key - 1) % KERNELS));
	if (!made.host)
		put(r, (struct event){ .begin = 1000000000 + begin,
				       .duration = (uint32_t)ns,
				       .hook = CTRL_DEVICE,
				       .stream = 1,
				       .key = key,
				       .arg = DEVICE_REF(1, hook, r->slot + of) });
}

static void wait_until(struct rank *r, uint64_t end)
{
	r->now += GAP / 2;
	call(r, HOOK_SYNC, end > r->now ? end - r->now : 0, 0, 0);
	r->now += GAP;
}

static uint64_t launch_id(size_t kernel, bool other_sizes, uint64_t kind)
{
	return 1 + kernel + KERNELS * (other_sizes + 2 * kind);
}

/* The call that has launched, from then on: its device time ends behind all that it did. Returns when that is. */
static uint64_t operate(struct rank *r, size_t kernel, uint64_t called, uint64_t begin, uint64_t end)
{
	uint64_t id = OPERATORS_FROM + kernel;

	r->now += kernel == ADAM ? r->day.held : 0;
	put(r, (struct event){ .begin = called, .duration = (uint32_t)(r->now - called), .hook = HOOK_OPERATOR, .key = id });
	end = end > r->now ? end : r->now;
	work(r, HOOK_OPERATOR, begin, end - begin, id);
	return end;
}

/* Launched, done, and waited for. */
static void launch(struct rank *r, size_t kernel, uint64_t number)
{
	uint64_t ns = about(r, usual.kernels[kernel].ns) + r->day.kernels[kernel].ns - usual.kernels[kernel].ns;
	uint64_t id = launch_id(kernel, r->day.kernels[kernel].other_sizes, number % made.kinds);
	uint64_t called = r->now, begin, end;

	call(r, HOOK_LAUNCH, 5000, id, 0);
	begin = r->now + LATENCY + (kernel == RELU ? r->day.idle : 0);
	end = begin + ns;
	work(r, HOOK_LAUNCH, begin, ns, id);
	if (made.operators)
		end = operate(r, kernel, called, begin, end);
	wait_until(r, end);
}

static void copy(struct rank *r)
{
	uint64_t begin;

	call(r, HOOK_COPY, 5000, 0x1000, EVENT_ARG(r->day.copy, DIR_H2D));
	begin = r->now + LATENCY;
	work(r, HOOK_COPY, begin, r->day.copying, 0);
	wait_until(r, begin + r->day.copying);
}

static void mark(struct rank *r, uint16_t hook)
{
	if (r->day.range)
		call(r, hook, 100, 1, r->slot + 1);
}

static void put_memory(struct rank *r, uint16_t hook, uint16_t pool, uint64_t address, uint64_t size)
{
	put(r, (struct event){ .begin = r->now, .duration = 1000, .hook = hook, .stream = pool, .key = address, .arg = EVENT_ARG(size, DIR_NONE) });
	r->now += 1000 + GAP;
}

static void keep(struct rank *r, unsigned int step)
{
	put_memory(r, HOOK_POOL, 1, 0x9000, 512);
	put_memory(r, HOOK_POOL_FREE, 1, 0x9000, 512);
	if (step % 2)
		return;
	put_memory(r, HOOK_ALLOC, 0, 0x10000 * step, made.kept_bytes * step);
	put_memory(r, HOOK_POOL, 1, 0x10000 * step, made.kept_bytes * step);
}

void rank_begin_step(struct rank *r, unsigned int step)
{
	r->count = 0;
	r->now = r->begin;
	mark(r, HOOK_BEGIN);
	r->now += about(r, usual.pause) + r->day.pause - usual.pause;
	mark(r, HOOK_END);
	if (r->day.build)
		call(r, HOOK_BUILD, r->day.build, 0, 0);
	if (r->day.call)
		call(r, HOOK_CALL, r->day.call, 0, 0);
	call(r, HOOK_ALLOC, 1000 + r->day.alloc, 0x1000, EVENT_ARG(r->day.memory ? r->day.memory : 4096, DIR_NONE));
	if (r->day.pool)
		put(r, (struct event){ .begin = r->now, .duration = 100, .hook = HOOK_POOL, .stream = 1, .key = 0x100000, .arg = r->day.pool });
	r->now += GAP;
	if (made.kept_bytes)
		keep(r, step);
	for (uint64_t i = 0; r->day.copy && i <= r->day.copies; i++)
		copy(r);
	for (size_t i = 0; i < KERNELS && !r->day.still; i++)
		for (uint64_t k = 0; k < r->day.kernels[i].launches; k++)
			launch(r, i, k);
}

void ranks_meet(struct rank *all, unsigned int first, unsigned int last, uint64_t id)
{
	uint64_t end = 0, transfer = 0;

	for (unsigned int i = first; i <= last; i++) {
		end = all[i].now > end ? all[i].now : end;
		transfer = all[i].day.transfer > transfer ? all[i].day.transfer : transfer;
	}
	end += 5000 + LATENCY + TRANSFER + transfer;
	for (unsigned int i = first; i <= last; i++) {
		struct rank *r = &all[i];

		call(r, HOOK_MEET, 5000, id, 1024);
		work(r, HOOK_MEET, r->now + LATENCY, end - r->now - LATENCY, id);
		wait_until(r, end);
	}
}

void rank_end_step(struct rank *r, unsigned int step)
{
	bool over = !made.open || step < made.steps;

	call(r, HOOK_FREE, 1000, 0x1000, 0);
	r->dropped += r->day.lost;
	r->calls += r->day.lost;
	maker_clock(&r->maker, r->begin);
	if (!r->day.skip) {
		must(!maker_events(&r->maker, 1, 20 + r->number, step + 1, r->slot, r->events, r->count, r->calls, r->dropped));
		r->slot += r->count;
		maker_epoch(&r->maker, step + 1, step, r->begin, over ? r->now : 0);
	}
	if (r->maker.defs_size > sizeof(r->maker.defs) / 2)
		must(!maker_put_defs(&r->maker));
	r->begin = r->now;
}

/* ---- files ---- */

static void define_kernels(struct maker *m)
{
	for (uint32_t i = 0; i < KERNELS; i++) {
		maker_define(m, DEF_STRING, 1 + i, NULL, 0, made.names[i]);
		for (uint32_t kind = 0; kind < 2 * made.kinds; kind++) {
			struct def_launch of = { .name = 1 + i, .dimensions = 1, .global = { (made.renamed[i] ? 128u : 64u << kind % 2) + kind / 2 } };

			maker_define(m, DEF_LAUNCH, launch_id(i, kind % 2, kind / 2), &of, sizeof(of), "");
			if (m->defs_size > sizeof(m->defs) / 2)
				must(!maker_put_defs(m));
		}
	}
}

static void define_operators(struct maker *m)
{
	char name[32];

	maker_hook(m, HOOK_OPERATOR, EV_OPERATOR, "aclnnApply");
	for (uint32_t i = 0; i < KERNELS; i++) {
		struct def_launch of = { .name = OPERATORS_FROM + i };

		snprintf(name, sizeof(name), "aclnn-%.20s", made.names[i]);
		maker_define(m, DEF_STRING, of.name, NULL, 0, name);
		maker_define(m, DEF_LAUNCH, OPERATORS_FROM + i, &of, sizeof(of), "");
	}
}

static void define_range(struct maker *m)
{
	struct def_marker range = { .message = NAME_RANGE };
	struct def_hook begins = { .kind = EV_MARKER, .flags = DEF_HOOK_BEGINS }, ends = { .kind = EV_MARKER, .flags = DEF_HOOK_ENDS };
	struct def_pool pool = { .domain = NAME_POOL, .device = 0 };

	maker_define(m, DEF_HOOK, HOOK_BEGIN, &begins, sizeof(begins), "mstxRangeStartA");
	maker_define(m, DEF_HOOK, HOOK_END, &ends, sizeof(ends), "mstxRangeEnd");
	maker_define(m, DEF_STRING, NAME_RANGE, NULL, 0, "load_data");
	maker_define(m, DEF_MARKER, 1, &range, sizeof(range), "");
	maker_define(m, DEF_STRING, NAME_POOL, NULL, 0, "framework");
	maker_define(m, DEF_POOL, 1, &pool, sizeof(pool), "");
}

/* Pairs have a communicator each, whose number is that of its first rank. */
static void define_meetings(struct maker *m, unsigned int rank)
{
	for (unsigned int first = 0; first < (made.pairs ? made.ranks - 1 : 1); first++) {
		struct def_communicator group = { .handle = 0xc0 + first, .group = 77 + first, .rank = (int32_t)(made.pairs ? rank - first : rank), .size = made.pairs ? 2 : made.ranks };
		struct def_collective all_reduce = { .communicator = 1 + first, .count = 256, .type = DATA_FP32, .reduction = REDUCE_SUM, .peer = -1 };

		if (made.pairs && rank != first && rank != first + 1)
			continue;
		maker_define(m, DEF_COMMUNICATOR, 1 + first, &group, sizeof(group), "group");
		maker_define(m, DEF_COLLECTIVE, 1 + first, &all_reduce, sizeof(all_reduce), "");
	}
}

static void define(struct maker *m, unsigned int rank)
{
	struct def_stream stream = { .handle = 0xabc, .device = 1 };
	struct def_device_clock clock = { .device_ns = 1000000000, .ticks = 0, .width = 100 };

	maker_hook(m, HOOK_LAUNCH, EV_LAUNCH, "clEnqueueNDRangeKernel");
	maker_hook(m, HOOK_COPY, EV_COPY, "clEnqueueWriteBuffer");
	maker_hook(m, HOOK_ALLOC, EV_ALLOC, "clCreateBuffer");
	maker_hook(m, HOOK_FREE, EV_FREE, "clReleaseMemObject");
	maker_hook(m, HOOK_SYNC, EV_SYNC, "clFinish");
	maker_hook(m, HOOK_BUILD, EV_MODULE, "clBuildProgram");
	maker_hook(m, HOOK_CALL, EV_EVENT, "clSetEventCallback");
	maker_hook(m, HOOK_MEET, EV_COLLECTIVE, "HcclAllReduce");
	maker_hook(m, HOOK_POOL, EV_POOL_ALLOC, "mstxMemRegionsRegister");
	maker_hook(m, HOOK_POOL_FREE, EV_POOL_FREE, "mstxMemRegionsUnregister");
	define_range(m);
	define_kernels(m);
	if (made.operators)
		define_operators(m);
	define_meetings(m, rank);
	if (made.stacks)
		stacks_define(m);
	maker_define(m, DEF_STREAM, 1, &stream, sizeof(stream), "");
	maker_define(m, DEF_DEVICE, 1, NULL, 0, "a device");
	maker_define(m, DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), "");
	must(!maker_put_defs(m));
}

void rank_begin(struct rank *r, unsigned int number, uint64_t seed, const char *folder)
{
	r->number = number;
	r->state = 88172645463325252ull * (2 * (seed + 1000 * number) + 1);
	r->begin = 1000;
	maker_create(&r->maker, folder, number, made.world ? made.world : made.ranks, r->day.ahead, r->day.ahead ? "other" : "made",
		     made.level0 ? "level0" : "level1", made.host ? "cpu,memory" : made.stacks ? "cpu,npu,memory,module"
											       : "cpu,npu,memory");
	define(&r->maker, number);
}

void rank_end(struct rank *r)
{
	must(!maker_put_defs(&r->maker));
	maker_end_rank(&r->maker, r->begin + 1000000);
}
