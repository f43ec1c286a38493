/*
 * stream [-s STEPS] [-t TICK_NS] [-d] SAVE_PATH - a made-up training run through the real flush path: rings in
 * tmpfs, encoder, zstd, file. Only the clock is made up: by it the rings are looked at every 20 ms, and when
 * one is half full, as the flush thread does.
 *
 * A step is 2,000 launches of 61 kernels with fixed sizes, 667 allocations and frees of recurring
 * addresses, 60 copies and a synchronisation: 3,395 calls. Only host times jitter (log-normal):
 * of 1 ns ticks that is 20.9 bits of chance a call, 2.6 bytes that no encoding can save.
 *
 *   -s STEPS    100
 *   -t TICK_NS  the clock moves in steps of so many ticks (ns); 1
 *   -d          device times too, on a ring of their own as a driver's callback thread makes them
 *
 * Prints key=value: events, slots (with the control slots), bytes of the file, chunks looked at, and
 * flush_ns, the CPU time of the flush path per event.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/session/definitions.h"
#include "agent/os/clock.h"
#include "agent/flush/drain.h"
#include "agent/flush/totals.h"
#include "agent/format/event.h"
#include "agent/session/identity.h"
#include "agent/record/rings.h"
#include "config/load/load.h"
#include "agent/session/session.h"
#include "agent/flush/writer.h"
#include "agent/session/settings.h"

#define LAUNCHES 2000	  /* a step */
#define LOOK_NS	 20000000 /* between two looks of the flush thread */

enum hook { LAUNCH = 1,
	    COPY,
	    ALLOC,
	    FREE,
	    SYNC };

static const struct {
	enum event_kind kind;
	const char *name;
} hooks[] = {
	[LAUNCH] = { EV_LAUNCH, "clEnqueueNDRangeKernel" },
	[COPY] = { EV_COPY, "clEnqueueWriteBuffer" },
	[ALLOC] = { EV_ALLOC, "clCreateBuffer" },
	[FREE] = { EV_FREE, "clReleaseMemObject" },
	[SYNC] = { EV_SYNC, "clFinish" },
};

static struct ring_header *host, *device;
static uint64_t now, next_look, tick = 1, device_now, events, slots, flush_ns, looks;
static bool with_device;

/* ---- chance ---- */

static double uniform(void)
{
	static uint64_t x = 0x9e3779b97f4a7c15ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Around `middle` ns, and never between two steps of the clock. */
static uint64_t jitter(double middle, double width)
{
	uint64_t ns = (uint64_t)(middle * exp(width * normal()));

	return ns - ns % tick;
}

/* ---- rings ---- */

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void look(bool all)
{
	uint64_t before = cpu_ns();

	drain_rings(0, all);
	flush_ns += cpu_ns() - before;
	looks++;
	next_look = now + LOOK_NS;
}

static void put(struct ring_header *r, struct event slot)
{
	uint64_t head = atomic_load(&r->head);

	ring_slots(r)[head & (r->slots - 1)] = slot;
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
	slots++;
}

static bool half_full(struct ring_header *r)
{
	return atomic_load(&r->head) - atomic_load(&r->tail) >= r->slots / 2;
}

/* Some 50 us behind the call; each launch takes the device about as long as the last time. */
static void put_device(const struct event *call, uint64_t slot)
{
	struct event e = {
		.hook = CTRL_DEVICE,
		.stream = call->stream,
		.key = call->key,
		.arg = DEVICE_REF(host->id, call->hook, slot),
	};

	if (device_now < now + 50000)
		device_now = now + 50000;
	e.begin = device_now += jitter(300, 0.3);
	e.duration = (uint32_t)jitter(1000 + (double)(call->key % 13) * 300, 0.02);
	device_now += e.duration;
	put(device, e);
}

static void call(enum hook hook, uint16_t stream, uint64_t key, uint64_t arg, uint64_t took, uint64_t gap)
{
	struct event e = {
		.begin = now,
		.duration = (uint32_t)took,
		.hook = (uint16_t)hook,
		.stream = stream,
		.key = key,
		.arg = arg,
	};
	uint64_t at = atomic_load(&host->head);

	atomic_fetch_add(&host->entered, 1);
	put(host, e);
	if (with_device && hook == LAUNCH)
		put_device(&e, at);
	events++;
	now += took + gap;
	if (now >= next_look || half_full(host) || half_full(device))
		look(false);
}

/* ---- the trainer ---- */

static uint64_t address(int i)
{
	return 0x7f3000000000ull + (uint64_t)(i * 7919 % 1500) * 0x200000;
}

static void layer(int i, const uint64_t *launches)
{
	int place = i % 40;

	if (i % 3 == 0)
		call(ALLOC, 0, address(i), EVENT_ARG(1u << (12 + i % 9), DIR_NONE), jitter(180, 0.3), jitter(400, 0.5));
	call(LAUNCH, place % 11 == 10 ? 2 : 1, launches[place], 0, jitter(2600, 0.25), jitter(2200, 0.6));
	if (i % 33 == 7)
		call(COPY, 3, 0x7f4000000000ull + (uint64_t)(i * 131 % 64) * 0x10000,
		     EVENT_ARG(4u << i % 18, DIR_H2D), jitter(4100, 0.4), 900 - 900 % tick);
	if (i % 3 == 2)
		call(FREE, 0, address(i - 2), 0, jitter(120, 0.3), jitter(250, 0.5));
}

static void define_epoch(uint32_t epoch, uint64_t begin, uint64_t end)
{
	struct def_epoch e = { .step = epoch, .begin = begin, .end = end };

	definitions_add(DEF_EPOCH, epoch, &e, sizeof(e), NULL, 0);
}

static void step(uint32_t epoch, const uint64_t *launches)
{
	uint64_t begin = now;

	define_epoch(epoch, begin, 0);
	put(host, (struct event){ .hook = CTRL_STEP, .begin = now, .key = epoch });
	for (int i = 0; i < LAUNCHES; i++)
		layer(i, launches);
	call(SYNC, 1, 0, 0, jitter(3e7, 0.03), 200000 - 200000 % tick);
	define_epoch(epoch, begin, now);
}

/* ---- definitions ---- */

static uint64_t define_launch(int place)
{
	static uint64_t names[61];
	uint64_t number = definitions_id();
	int kernel = place * 37 % 61;
	char name[64];
	struct def_launch d = {
		.dimensions = 2,
		.has_local = 1,
		.global = { 16u << place % 7, place % 5 ? 1 : 32, 1 },
		.local = { 128u << place % 3, 1, 1 },
	};

	if (!names[kernel]) {
		snprintf(name, sizeof(name), "fused_attention_forward_%d_bf16", kernel);
		names[kernel] = definitions_id();
		definitions_text(DEF_STRING, names[kernel], name);
	}
	d.name = names[kernel];
	definitions_add(DEF_LAUNCH, number, &d, sizeof(d), NULL, 0);
	return number;
}

static void define(uint64_t *launches)
{
	struct def_device_clock clock = { .device_ns = now, .ticks = now, .width = 100 };

	for (enum hook h = LAUNCH; h <= SYNC; h++) {
		struct def_hook d = { .kind = (uint8_t)hooks[h].kind };

		definitions_add(DEF_HOOK, h, &d, sizeof(d), hooks[h].name, strlen(hooks[h].name));
	}
	definitions_text(DEF_DEVICE, 1, "a made-up device");
	if (with_device)
		definitions_add(DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), NULL, 0);
	for (uint64_t i = 1; i <= 3; i++) {
		struct def_stream s = { .handle = 0x55d0d0a00000ull + i * 0x1000, .device = 1 };

		definitions_add(DEF_STREAM, i, &s, sizeof(s), NULL, 0);
	}
	for (int place = 0; place < 40; place++)
		launches[place] = define_launch(place);
}

/* ---- the run ---- */

static void start(const char *save_path)
{
	char error[512];

	setenv("RANKTRACE_SAVE_PATH", save_path, 1);
	setenv("RANKTRACE_CLOCK", "ns", 1);
	if (config_load(&settings, error, sizeof(error))) {
		fprintf(stderr, "stream: %s\n", error);
		exit(2);
	}
	clock_start();
	settings.contents = CONTENT_CPU | (with_device ? CONTENT_DEVICE : 0);
	session_start(&settings);
	snprintf(session->step_source, sizeof(session->step_source), "api"); /* there are steps, so something told them */
	identity_read();
	identity_publish();
	rings_prepare(2);
	host = rings_acquire();
	device = rings_acquire();
	now = clock_now_ns();
	now -= now % tick;
	next_look = now + LOOK_NS;
}

static void open_file(long steps)
{
	char path[1024], window[64];

	snprintf(window, sizeof(window), steps > 1 ? "steps-1-%ld" : "step-%ld", steps);
	writer_path(path, sizeof(path), window);
	if (writer_open(path)) {
		fprintf(stderr, "stream: cannot write %s\n", path);
		exit(2);
	}
	drain_begin(window, definitions_newest(LOG_EPOCHS), &(struct detail){ .level = settings.level, .contents = settings.contents, .roles = "" });
}

static void finish(void)
{
	look(true);
	drain_end("exit", WINDOW_AT_EXIT, 0);
	rings_end();
	definitions_end();
	printf("events=%llu slots=%llu bytes=%llu looks=%llu flush_ns=%.1f\n", (unsigned long long)events,
	       (unsigned long long)slots, (unsigned long long)atomic_load(&session->bytes),
	       (unsigned long long)looks, (double)flush_ns / (double)events);
	session_end(false);
}

int main(int argc, char **argv)
{
	uint64_t launches[40];
	long steps = 100;
	int option;

	while ((option = getopt(argc, argv, "s:t:d")) != -1) {
		if (option == 's')
			steps = atol(optarg);
		else if (option == 't')
			tick = (uint64_t)atol(optarg);
		else
			with_device = option == 'd';
	}
	if (optind + 1 != argc || steps < 1 || tick < 1) {
		fprintf(stderr, "usage: stream [-s STEPS] [-t TICK_NS] [-d] SAVE_PATH\n");
		return 2;
	}
	start(argv[optind]);
	put(host, (struct event){ .hook = CTRL_THREAD, .begin = now, .key = session->pid });
	define(launches);
	open_file(steps);
	for (long i = 1; i <= steps; i++)
		step((uint32_t)i, launches);
	finish();
	return 0;
}
