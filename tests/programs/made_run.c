/*
 * made_run FOLDER SEED [WORD]... - the traces of two ranks and 12 steps, which differ by as much as the seed has drawn: under 1 % of each kernel,
 * and of the pause between two steps. A step has five kernels, matmul twice, and a copy; all of them wait for the host. Words:
 * slow:KERNEL:NS     each launch of it takes so much longer
 * more:KERNEL        it is launched once more
 * sizes:KERNEL:NS    its sizes are others, and it takes so much longer
 * renamed:KERNEL:TO  it is called so, and its sizes are others
 * called:KERNEL:TEXT it is called so, whatever that is; called:KERNEL: and nothing else: 60,000 letters
 * pause:NS           the host does nothing for so much longer between two steps
 * steps:N            so many steps
 * ranks:N            so many ranks (2)
 * memory:BYTES       an allocation is so large (4096)
 * host               there are no device times
 * open               the last step did not end
 */
#include <stdio.h>

#include "tests/lib/small_traces.h"

#define KERNELS	 5
#define STEP_MAX 20000000ull /* ns; steps begin so far apart, less what they take less */
#define GAP	 10000
#define LATENCY	 2000

enum { HOOK_SYNC = HOOK_FREE + 1 };

static struct {
	const char *name;
	uint64_t ns, longer;
	unsigned int launches;
	uint32_t size;
} kernels[KERNELS] = {
	{ "matmul", 600000, 0, 2, 64 },
	{ "norm", 200000, 0, 1, 64 },
	{ "relu", 100000, 0, 1, 64 },
	{ "add", 100000, 0, 1, 64 },
	{ "adam", 500000, 0, 1, 64 },
};

static struct maker maker;
static struct event slots[256];
static size_t count;
static uint64_t state, slot, begin, now, pause_ns = 200000, bytes = 4096;
static unsigned int rank, steps = 12, ranks = 2;
static bool device = true, ended = true;

/* Within 1 % of it. */
static uint64_t about(uint64_t ns)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ns + ns * (state % 1000) / 100000;
}

static void put(struct event ev)
{
	must(count < sizeof(slots) / sizeof(*slots));
	slots[count++] = ev;
}

/* Launched, done, and waited for. */
static void launch(size_t kernel)
{
	uint64_t ns = about(kernels[kernel].ns) + kernels[kernel].longer;

	put((struct event){ .begin = now, .duration = 5000, .hook = HOOK_LAUNCH, .stream = 1, .key = 1 + kernel });
	if (device)
		put((struct event){ .begin = 1000000000 + now + 5000 + LATENCY,
				    .duration = (uint32_t)ns,
				    .hook = CTRL_DEVICE,
				    .stream = 1,
				    .key = 1 + kernel,
				    .arg = DEVICE_REF(1, HOOK_LAUNCH, slot + count - 1) });
	now += 5000 + GAP / 2;
	put((struct event){ .begin = now, .duration = (uint32_t)(ns - GAP / 2 + LATENCY), .hook = HOOK_SYNC });
	now += ns - GAP / 2 + LATENCY + GAP;
}

static void put_step(unsigned int step)
{
	size_t events = 2;

	count = 0;
	now = begin;
	now += about(pause_ns);
	put((struct event){ .begin = now, .duration = 1000, .hook = HOOK_ALLOC, .key = 0x1000, .arg = EVENT_ARG(bytes, DIR_NONE) });
	now += 1000 + GAP;
	for (size_t i = 0; i < KERNELS; i++)
		for (unsigned int k = 0; k < kernels[i].launches; k++, events += 2)
			launch(i);
	put((struct event){ .begin = now, .duration = 1000, .hook = HOOK_FREE, .key = 0x1000 });
	now += 1000;
	must(!maker_events(&maker, 1, 20 + rank, step + 1, slot, slots, count, events, 0));
	slot += count;
}

static void define(void)
{
	struct def_stream stream = { .handle = 0xabc, .device = 1 };
	struct def_device_clock clock = { .device_ns = 1000000000, .ticks = 0, .width = 100 };

	maker_hook(&maker, HOOK_LAUNCH, EV_LAUNCH, "clEnqueueNDRangeKernel");
	maker_hook(&maker, HOOK_ALLOC, EV_ALLOC, "clCreateBuffer");
	maker_hook(&maker, HOOK_FREE, EV_FREE, "clReleaseMemObject");
	maker_hook(&maker, HOOK_SYNC, EV_SYNC, "clFinish");
	for (uint32_t i = 0; i < KERNELS; i++) {
		struct def_launch of = { .name = 1 + i, .dimensions = 1, .global = { kernels[i].size } };

		maker_define(&maker, DEF_STRING, 1 + i, NULL, 0, kernels[i].name);
		maker_define(&maker, DEF_LAUNCH, 1 + i, &of, sizeof(of), "");
	}
	maker_define(&maker, DEF_STREAM, 1, &stream, sizeof(stream), "");
	maker_define(&maker, DEF_DEVICE, 1, NULL, 0, "a device");
	maker_define(&maker, DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), "");
}

static void make(const char *folder)
{
	maker_open_rank(&maker, folder, rank, device ? "cpu,npu,memory" : "cpu,memory");
	slot = count = 0;
	define();
	must(!maker_put_defs(&maker));
	begin = 1000;
	for (unsigned int step = 1; step <= steps; step++, begin = now) {
		maker_clock(&maker, begin);
		put_step(step);
		maker_epoch(&maker, step + 1, step, begin, ended || step < steps ? now : 0);
		if (maker.defs_size > sizeof(maker.defs) / 2)
			must(!maker_put_defs(&maker));
	}
	must(!maker_put_defs(&maker));
	maker_end_rank(&maker, begin + 1000000);
}

/* ---- the words ---- */

static size_t kernel_of(const char *name)
{
	for (size_t i = 0; i < KERNELS; i++)
		if (!strcmp(kernels[i].name, name))
			return i;
	abort();
}

static const char *any_name(const char *text)
{
	static char letters[60001];

	return *text ? text : memset(letters, 'x', sizeof(letters) - 1);
}

static void take(const char *word)
{
	static char names[8][2][32];
	static unsigned int used;
	char *name = names[used][0], *other = names[used][1];
	uint64_t ns;

	if (sscanf(word, "slow:%31[a-z]:%lu", name, &ns) == 2) {
		kernels[kernel_of(name)].longer = ns;
	} else if (sscanf(word, "more:%31[a-z]", name) == 1) {
		kernels[kernel_of(name)].launches++;
	} else if (sscanf(word, "sizes:%31[a-z]:%lu", name, &ns) == 2) {
		kernels[kernel_of(name)].longer = ns;
		kernels[kernel_of(name)].size *= 2;
	} else if (sscanf(word, "renamed:%31[a-z]:%31[a-z]", name, other) == 2) {
		kernels[kernel_of(name)].size *= 2;
		kernels[kernel_of(name)].name = other;
	} else if (sscanf(word, "called:%31[a-z]:", name) == 1) {
		kernels[kernel_of(name)].name = any_name(word + strlen("called::") + strlen(name));
	} else if (sscanf(word, "pause:%lu", &ns) == 1) {
		pause_ns += ns;
	} else if (sscanf(word, "memory:%lu", &ns) == 1) {
		bytes = ns;
	} else if (sscanf(word, "steps:%lu", &ns) == 1) {
		steps = (unsigned int)ns;
	} else if (sscanf(word, "ranks:%lu", &ns) == 1) {
		ranks = (unsigned int)ns;
	} else if (!strcmp(word, "open")) {
		ended = false;
	} else {
		must(!strcmp(word, "host"));
		device = false;
	}
	used = (used + 1) % 8;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (int i = 3; i < argc; i++)
		take(argv[i]);
	state = 88172645463325252ull * (2 * strtoul(argv[2], NULL, 10) + 1);
	for (rank = 0; rank < ranks; rank++)
		make(argv[1]);
	return 0;
}
