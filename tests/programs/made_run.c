/*
 * made_run FOLDER SEED [WORD]... - the traces of two ranks and 12 steps, which differ by as much as the seed has drawn: under 1 % of each kernel,
 * and of the pause between two steps. A step has five kernels, matmul twice; the host waits for each of them. Of the whole run:
 * exact              nothing is drawn
 * steps:N, ranks:N   so many
 * world:N            the job has so many ranks
 * renamed:KERNEL:TO  it is called so, and its sizes are others
 * called:KERNEL:TEXT it is called so, whatever that is; called:KERNEL: and nothing else: 60,000 letters
 * keeps:BYTES        each second step keeps so many, times its number: an allocation more that is not freed; and so
 *                    does a framework's allocator, of which each step has a piece that it gives back
 * host               there are no device times
 * level0             calls that wait or build are not recorded
 * open               the last step did not end
 * meet, pairs        a step ends with a collective of all ranks, or of ranks 0 and 1, then of 1 and 2, and so on
 * kinds:N            launches of a kernel have so many sizes, by turns
 * And, of the steps and ranks that an in:STEP:RANK before has named (in:5: is of all ranks, in::1 of all steps; of the whole run, where there is none):
 * slow:KERNEL:NS     each launch of it takes so much longer
 * more:KERNEL[:N]    it is launched so many times more, once
 * sizes:KERNEL:NS    its sizes are others, and it takes so much longer
 * memory:BYTES       an allocation is so large (4096)
 * or a word of numbers[] below.
 */
#include <stddef.h>
#include <stdio.h>

#include "tests/lib/small_traces.h"

#define GAP	 10000
#define LATENCY	 2000
#define TRANSFER 200000

enum { MATMUL,
       NORM,
       RELU,
       ADD,
       ADAM,
       EXTRA, /* which is launched by more:extra only */
       KERNELS };
enum { HOOK_SYNC = HOOK_FREE + 1,
       HOOK_BUILD,
       HOOK_CALL,
       HOOK_MEET,
       HOOK_POOL,
       HOOK_POOL_FREE,
       HOOK_BEGIN,
       HOOK_END };
enum { NAME_RANGE = KERNELS + 1,
       NAME_POOL };

/* What a rank does in a step. */
struct day {
	struct {
		uint64_t ns, launches;
		bool other_sizes;
	} kernels[KERNELS];
	uint64_t pause, call, alloc, build, idle, transfer, copy, copying, copies, memory, pool, range, ahead, lost, skip, still;
};

static const struct {
	const char *word;
	size_t at;
} numbers[] = {
	{ "pause", offsetof(struct day, pause) },	/* ns more between two steps */
	{ "call", offsetof(struct day, call) },		/* a call of so many ns */
	{ "alloc", offsetof(struct day, alloc) },	/* ns more in the allocation */
	{ "build", offsetof(struct day, build) },	/* a program is built in so many ns */
	{ "idle", offsetof(struct day, idle) },		/* relu begins so many ns later than it could */
	{ "transfer", offsetof(struct day, transfer) }, /* ns more that the step's collectives take */
	{ "copy", offsetof(struct day, copy) },		/* bytes that are copied to the device, */
	{ "copying", offsetof(struct day, copying) },	/* in so many ns */
	{ "copies", offsetof(struct day, copies) },	/* so many times more */
	{ "pool", offsetof(struct day, pool) },		/* bytes that a framework's allocator says it has given */
	{ "range", offsetof(struct day, range) },	/* not 0: the pause is marked as load_data */
	{ "ahead", offsetof(struct day, ahead) },	/* the rank is on another host, whose clock is so many ns ahead */
	{ "lost", offsetof(struct day, lost) },		/* calls that were dropped */
	{ "skip", offsetof(struct day, skip) },		/* not 0: it is not recorded */
	{ "still", offsetof(struct day, still) },	/* not 0: nothing is launched */
	{ "memory", offsetof(struct day, memory) },
};

static struct rank {
	struct maker maker;
	struct event *events;
	size_t count, capacity;
	uint64_t state, slot, calls, dropped, begin, now;
	struct day day;
} * all;

static const struct day usual = {
	.kernels = { { 600000, 2, false }, { 200000, 1, false }, { 100000, 1, false }, { 100000, 1, false }, { 500000, 1, false }, { 300000, 0, false } },
	.pause = 200000,
};

static const char *const kernels[KERNELS] = { "matmul", "norm", "relu", "add", "adam", "extra" }; /* as words have them */
static const char *names[KERNELS] = { "matmul", "norm", "relu", "add", "adam", "extra" };
static bool renamed[KERNELS], device = true, ended = true, exact, meet, pairs, level0;
static unsigned int steps = 12, ranks = 2, world, kinds = 1;
static uint64_t kept_bytes;
static char **words;

/* Within 1 % of it. */
static uint64_t about(struct rank *r, uint64_t ns)
{
	if (exact)
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
	bool known = !level0 || (hook != HOOK_SYNC && hook != HOOK_BUILD && hook != HOOK_CALL);

	if (known)
		put(r, (struct event){ .begin = r->now, .duration = (uint32_t)ns, .hook = hook, .key = key, .arg = arg });
	r->now += ns;
}

/* What the last call gave to the device. */
static void work(struct rank *r, uint16_t hook, uint64_t begin, uint64_t ns, uint64_t key)
{
	r->events[r->count - 1].stream = 1;
	if (device)
		put(r, (struct event){ .begin = 1000000000 + begin,
				       .duration = (uint32_t)ns,
				       .hook = CTRL_DEVICE,
				       .stream = 1,
				       .key = key,
				       .arg = DEVICE_REF(1, hook, r->slot + r->count - 1) });
}

static void wait_until(struct rank *r, uint64_t end)
{
	r->now += GAP / 2;
	call(r, HOOK_SYNC, end - r->now, 0, 0);
	r->now += GAP;
}

static uint64_t launch_id(size_t kernel, bool other_sizes, uint64_t kind)
{
	return 1 + kernel + KERNELS * (other_sizes + 2 * kind);
}

/* Launched, done, and waited for. */
static void launch(struct rank *r, size_t kernel, uint64_t number)
{
	uint64_t ns = about(r, usual.kernels[kernel].ns) + r->day.kernels[kernel].ns - usual.kernels[kernel].ns;
	uint64_t id = launch_id(kernel, r->day.kernels[kernel].other_sizes, number % kinds), begin;

	call(r, HOOK_LAUNCH, 5000, id, 0);
	begin = r->now + LATENCY + (kernel == RELU ? r->day.idle : 0);
	work(r, HOOK_LAUNCH, begin, ns, id);
	wait_until(r, begin + ns);
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
	put_memory(r, HOOK_ALLOC, 0, 0x10000 * step, kept_bytes * step);
	put_memory(r, HOOK_POOL, 1, 0x10000 * step, kept_bytes * step);
}

static void begin_step(struct rank *r, unsigned int step)
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
	if (kept_bytes)
		keep(r, step);
	for (uint64_t i = 0; r->day.copy && i <= r->day.copies; i++)
		copy(r);
	for (size_t i = 0; i < KERNELS && !r->day.still; i++)
		for (uint64_t k = 0; k < r->day.kernels[i].launches; k++)
			launch(r, i, k);
}

/* Ranks first to last begin their n-th collective of the step, and end it together. */
static void meet_each_other(unsigned int first, unsigned int last, uint64_t id)
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

static void end_step(struct rank *r, unsigned int step)
{
	bool over = ended || step < steps;

	call(r, HOOK_FREE, 1000, 0x1000, 0);
	r->dropped += r->day.lost;
	r->calls += r->day.lost;
	maker_clock(&r->maker, r->begin);
	if (!r->day.skip) {
		must(!maker_events(&r->maker, 1, 20 + (uint32_t)(r - all), step + 1, r->slot, r->events, r->count, r->calls, r->dropped));
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
		maker_define(m, DEF_STRING, 1 + i, NULL, 0, names[i]);
		for (uint32_t kind = 0; kind < 2 * kinds; kind++) {
			struct def_launch of = { .name = 1 + i, .dimensions = 1, .global = { (renamed[i] ? 128u : 64u << kind % 2) + kind / 2 } };

			maker_define(m, DEF_LAUNCH, launch_id(i, kind % 2, kind / 2), &of, sizeof(of), "");
			if (m->defs_size > sizeof(m->defs) / 2)
				must(!maker_put_defs(m));
		}
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
	for (unsigned int first = 0; first < (pairs ? ranks - 1 : 1); first++) {
		struct def_communicator group = { .handle = 0xc0 + first, .group = 77 + first, .rank = (int32_t)(pairs ? rank - first : rank), .size = pairs ? 2 : ranks };
		struct def_collective all_reduce = { .communicator = 1 + first, .count = 256, .type = DATA_FP32, .reduction = REDUCE_SUM, .peer = -1 };

		if (pairs && rank != first && rank != first + 1)
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
	define_meetings(m, rank);
	maker_define(m, DEF_STREAM, 1, &stream, sizeof(stream), "");
	maker_define(m, DEF_DEVICE, 1, NULL, 0, "a device");
	maker_define(m, DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), "");
	must(!maker_put_defs(m));
}

/* ---- the words ---- */

static size_t kernel_of(const char *name)
{
	for (size_t i = 0; i < KERNELS; i++)
		if (!strcmp(kernels[i], name))
			return i;
	abort();
}

static const char *any_name(const char *text)
{
	static char letters[60001];

	return *text ? text : memset(letters, 'x', sizeof(letters) - 1);
}

static bool take_name(const char *word)
{
	static char others[KERNELS][32];
	char name[32], other[32];
	size_t kernel;

	if (sscanf(word, "renamed:%31[a-z]:%31[a-z]", name, other) == 2) {
		kernel = kernel_of(name);
		names[kernel] = strcpy(others[kernel], other);
		return renamed[kernel] = true;
	}
	if (sscanf(word, "called:%31[a-z]:", name) != 1)
		return false;
	names[kernel_of(name)] = any_name(word + strlen("called::") + strlen(name));
	return true;
}

/* Of the whole run. */
static bool take(const char *word)
{
	static const struct {
		const char *word;
		bool *truth, value;
	} truths[] = {
		{ "exact", &exact, true },
		{ "host", &device, false },
		{ "level0", &level0, true },
		{ "open", &ended, false },
		{ "meet", &meet, true },
		{ "pairs", &pairs, true },
	};

	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++)
		if (!strcmp(word, truths[i].word)) {
			*truths[i].truth = truths[i].value;
			return true;
		}
	return take_name(word) || sscanf(word, "keeps:%lu", &kept_bytes) == 1 || sscanf(word, "steps:%u", &steps) == 1 || sscanf(word, "ranks:%u", &ranks) == 1 || sscanf(word, "world:%u", &world) == 1 ||
	       sscanf(word, "kinds:%u", &kinds) == 1;
}

static bool take_number(struct day *day, const char *word)
{
	size_t length = strcspn(word, ":");

	for (size_t i = 0; word[length] && i < sizeof(numbers) / sizeof(*numbers); i++)
		if (strlen(numbers[i].word) == length && !memcmp(word, numbers[i].word, length)) {
			*(uint64_t *)((char *)day + numbers[i].at) += strtoull(word + length + 1, NULL, 10);
			return true;
		}
	return false;
}

/* Of a step. */
static void take_of_step(struct day *day, const char *word)
{
	char name[32];
	uint64_t n = 1;
	size_t kernel;

	if (take_number(day, word))
		return;
	if (sscanf(word, "slow:%31[a-z]:%lu", name, &n) == 2) {
		day->kernels[kernel_of(name)].ns += n;
	} else if (sscanf(word, "more:%31[a-z]:%lu", name, &n) >= 1) {
		day->kernels[kernel_of(name)].launches += n;
	} else {
		must(sscanf(word, "sizes:%31[a-z]:%lu", name, &n) == 2);
		kernel = kernel_of(name);
		day->kernels[kernel].ns += n;
		day->kernels[kernel].other_sizes = true;
	}
}

static bool is_named(const char *in, unsigned int step, unsigned int rank)
{
	const char *of_rank = strchr(in, ':') + 1;

	return (*in == ':' || strtoul(in, NULL, 10) == step) && (!*of_rank || strtoul(of_rank, NULL, 10) == rank);
}

static void plan(struct day *day, unsigned int step, unsigned int rank)
{
	bool named = true;

	*day = usual;
	for (char **word = words; *word; word++)
		if (!strncmp(*word, "in:", 3))
			named = is_named(*word + 3, step, rank);
		else if (named)
			take_of_step(day, *word);
}

/* ---- a run ---- */

static void begin_rank(struct rank *r, unsigned int rank, uint64_t seed, const char *folder)
{
	r->state = 88172645463325252ull * (2 * (seed + 1000 * rank) + 1);
	r->begin = 1000;
	plan(&r->day, 1, rank);
	maker_create(&r->maker, folder, rank, world ? world : ranks, r->day.ahead, r->day.ahead ? "other" : "made", level0 ? "level0" : "level1",
		     device ? "cpu,npu,memory" : "cpu,memory");
	define(&r->maker, rank);
}

static void make_step(unsigned int step)
{
	for (unsigned int i = 0; i < ranks; i++) {
		plan(&all[i].day, step, i);
		begin_step(&all[i], step);
	}
	if (meet)
		meet_each_other(0, ranks - 1, 1);
	for (unsigned int first = 0; pairs && first + 1 < ranks; first++)
		meet_each_other(first, first + 1, 1 + first);
	for (unsigned int i = 0; i < ranks; i++)
		end_step(&all[i], step);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	words = argv + 3;
	for (char **word = words, **kept = words; (*kept = *word); word++)
		kept += !take(*word);
	all = calloc(ranks, sizeof(*all));
	must(all);
	for (unsigned int i = 0; i < ranks; i++)
		begin_rank(&all[i], i, strtoul(argv[2], NULL, 10), argv[1]);
	for (unsigned int step = 1; step <= steps; step++)
		make_step(step);
	for (unsigned int i = 0; i < ranks; i++) {
		must(!maker_put_defs(&all[i].maker));
		maker_end_rank(&all[i].maker, all[i].begin + 1000000);
	}
	return 0;
}
