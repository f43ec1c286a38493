/* made_trace.h - one small trace that has something of everything a trace may hold. */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/small_traces.h"

#define LAUNCHES 40

static struct maker maker;
static char path[64];
static int fd;

/* A file whose name any reader can open. */
static void open_file(void)
{
	fd = memfd_create("trace", 0);
	must(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	maker_open(&maker, fd);
}

static void close_file(void)
{
	chunk_writer_free(&maker.w);
	close(fd);
}

/* Ring 1: step 2 with launches, a copy, an allocation never freed, device times; ring 2: step 3. */
static void put_ring_1(void)
{
	struct event slots[LAUNCHES + 16];
	size_t n = 0;

	for (size_t i = 0; i < LAUNCHES; i++)
		slots[n++] = (struct event){
			.begin = 1000 + 100 * i,
			.duration = 50,
			.hook = HOOK_LAUNCH,
			.stream = 1,
			.key = 7,
		};
	slots[n++] = (struct event){
		.begin = 9000,
		.duration = 10,
		.hook = HOOK_COPY,
		.stream = 1,
		.key = 0x1000,
		.arg = EVENT_ARG(4096, DIR_H2D),
	};
	slots[n++] = (struct event){ .hook = CTRL_ADDRESS, .key = 0x2000 };
	slots[n++] = (struct event){ .hook = CTRL_RESULT, .key = (uint64_t)-5 };
	slots[n++] = (struct event){ .hook = CTRL_ITEMS, .key = 3 };
	slots[n++] = (struct event){
		.begin = 9500,
		.duration = UINT32_MAX,
		.hook = HOOK_ALLOC,
		.key = 0x1000,
		.arg = EVENT_ARG(100, DIR_NONE),
	};
	slots[n++] = (struct event){ .hook = CTRL_LONG, .key = 1ull << 33 };
	slots[n++] = (struct event){ .hook = CTRL_NESTED };
	slots[n++] = (struct event){
		.begin = 1000002000,
		.duration = 30,
		.hook = CTRL_DEVICE,
		.stream = 1,
		.key = 7,
		.arg = DEVICE_REF(1, HOOK_LAUNCH, 0),
	};
	must(!maker_events(&maker, 1, 11, 2, 0, slots, n, LAUNCHES + 5, 2));
}

static void put_ring_2(void)
{
	struct event slots[] = {
		{ .hook = CTRL_THREAD, .key = 12 },
		{ .hook = CTRL_STEP, .key = 3 },
		{ .begin = 20000, .duration = 10, .hook = HOOK_ALLOC, .key = 0x9000, .arg = 64 },
		{ .begin = 20100, .duration = 10, .hook = HOOK_FREE, .key = 0x9000 },
		{ .begin = 20200, .duration = 10, .hook = HOOK_ALLOC, .key = 0x9000, .arg = 32 },
	};

	must(!maker_events(&maker, 2, 0, 0, 0, slots, 5, 3, 0));
}

/* Step 2 is a stage's, in a micro-batch; another one had no calls. */
static void put_stages(void)
{
	struct def_stage update = { .step = 2, .begin = 600, .end = 9900, .occurrence = 1 };
	struct def_stage reward = { .step = 2, .begin = 9900, .end = 9950 };
	struct def_place in_update = { .stage = 1, .mini = 0, .micro = 3 };

	maker_define(&maker, DEF_STAGE, 1, &update, sizeof(update), "actor_update");
	maker_define(&maker, DEF_STAGE, 2, &reward, sizeof(reward), "compute_reward");
	maker_define(&maker, DEF_PLACE, 2, &in_update, sizeof(in_update), "");
}

__attribute__((unused)) static void make_trace(void)
{
	open_file();
	maker_clock(&maker, 0);
	maker_text(&maker, CHUNK_FILE, "host=h\npid=41\nrank=3\nclock=ns\nrank_source=RANK\n");
	maker_usual_defs(&maker);
	maker_epoch(&maker, 2, 2, 500, 10000);
	maker_epoch(&maker, 3, 3, 10000, 0);
	put_stages();
	maker_put_defs(&maker);
	put_ring_1();
	maker_clock(&maker, 1000000);
	maker_text(&maker, CHUNK_STATUS, "unrecorded.clFinish=9\nlibrary=/a\nlibrary=/b\n");
	put_ring_2();
	maker_text(&maker, CHUNK_END, "reason=exit\ncause=none\nstep_source=api\n");
}
