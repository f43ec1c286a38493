/* kernel_times FOLDER NS... - the trace of a rank that launches a kernel for each number, kernel0 and so on, in each of four steps, and waits for it: so long it takes. */
#include "tests/lib/small_traces.h"

#define STEPS	4
#define KERNELS 32
#define LAUNCH	5000 /* ns, until it begins */

enum { HOOK_SYNC = HOOK_FREE + 1 };

static struct maker maker;

static void define(int kernels)
{
	struct def_stream stream = { .handle = 0xabc, .device = 1 };
	struct def_device_clock clock = { .device_ns = 1000000000, .ticks = 0, .width = 100 };
	char name[24];

	maker_hook(&maker, HOOK_LAUNCH, EV_LAUNCH, "clEnqueueNDRangeKernel");
	maker_hook(&maker, HOOK_SYNC, EV_SYNC, "clFinish");
	for (int i = 0; i < kernels; i++) {
		struct def_launch launch = { .name = 1 + (uint32_t)i, .dimensions = 1, .global = { 64 } };

		snprintf(name, sizeof(name), "kernel%d", i);
		maker_define(&maker, DEF_STRING, 1 + (uint64_t)i, NULL, 0, name);
		maker_define(&maker, DEF_LAUNCH, 1 + (uint64_t)i, &launch, sizeof(launch), "");
	}
	maker_define(&maker, DEF_STREAM, 1, &stream, sizeof(stream), "");
	maker_define(&maker, DEF_DEVICE, 1, NULL, 0, "a device");
	maker_define(&maker, DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), "");
	must(!maker_put_defs(&maker));
}

int main(int argc, char **argv)
{
	struct event slots[3 * KERNELS];
	uint64_t now = 1000, slot = 0, begin;
	int kernels = argc - 2;

	must(kernels > 0 && kernels <= KERNELS);
	maker_open_rank(&maker, argv[1], 0, "cpu,npu");
	define(kernels);
	for (unsigned int step = 1; step <= STEPS; step++) {
		size_t n = 0;

		begin = now;
		for (int i = 0; i < kernels; i++) {
			uint32_t ns = (uint32_t)strtoul(argv[2 + i], NULL, 10);

			slots[n] = (struct event){ .begin = now, .duration = LAUNCH, .hook = HOOK_LAUNCH, .stream = 1, .key = 1 + (uint64_t)i };
			slots[n + 1] = (struct event){ .begin = 1000000000 + now + LAUNCH,
						       .duration = ns,
						       .hook = CTRL_DEVICE,
						       .stream = 1,
						       .key = 1 + (uint64_t)i,
						       .arg = DEVICE_REF(1, HOOK_LAUNCH, slot + n) };
			slots[n + 2] = (struct event){ .begin = now + LAUNCH, .duration = ns, .hook = HOOK_SYNC };
			n += 3;
			now += LAUNCH + ns;
		}
		must(!maker_events(&maker, 1, 20, step + 1, slot, slots, n, 2 * (uint64_t)kernels, 0));
		slot += n;
		maker_epoch(&maker, step + 1, step, begin, now);
	}
	must(!maker_put_defs(&maker));
	maker_end_rank(&maker, now);
	return 0;
}
