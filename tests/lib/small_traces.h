/* small_traces.h - writes small traces of known content, for tests of all that reads them. */
#pragma once
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/format/encode.h"
#include "agent/format/trace_file.h"
#include "analysis/session/chunk_writer.h"

#define MAKER_ID       0x1122334455667788ull
#define MAKER_REALTIME 1700000000000000000ull /* at CLOCK_MONOTONIC 0, which is tick 0 */

enum { HOOK_LAUNCH,
       HOOK_COPY,
       HOOK_ALLOC,
       HOOK_FREE };

struct maker {
	struct chunk_writer w;
	uint8_t defs[65536];
	size_t defs_size;
	uint32_t definitions, kinds, controls; /* which there were, a bit each */
	uint64_t ahead;			       /* ns: so much is its host's clock ahead */
};

static inline void must(bool done)
{
	if (!done)
		abort();
}

static inline void maker_open(struct maker *m, int fd)
{
	*m = (struct maker){ .w = { .fd = fd, .file_id = MAKER_ID } };
}

static inline void maker_clock(struct maker *m, uint64_t ns)
{
	m->w.clock.ticks = m->w.clock.monotonic = ns;
	m->w.clock.realtime = MAKER_REALTIME + m->ahead + ns;
}

static inline int maker_text(struct maker *m, enum chunk_type type, const char *text)
{
	struct chunk_header h = { .type = (uint16_t)type };

	return chunk_writer_put(&m->w, &h, text, strlen(text));
}

static inline void maker_define(struct maker *m, enum definition_type type, uint64_t id,
				const void *body, size_t size, const char *text)
{
	struct definition d = { .type = (uint16_t)type, .id = id };
	uint8_t *at = m->defs + m->defs_size;

	m->definitions |= 1u << type;
	d.length = (uint32_t)(sizeof(d) + size + strlen(text));
	memcpy(at, &d, sizeof(d));
	if (size)
		memcpy(at + sizeof(d), body, size);
	memcpy(at + sizeof(d) + size, text, strlen(text));
	m->defs_size += (d.length + 7) & ~(size_t)7;
}

static inline void maker_hook(struct maker *m, uint16_t id, enum event_kind kind, const char *name)
{
	struct def_hook hook = { .kind = (uint8_t)kind };

	m->kinds |= 1u << kind;
	maker_define(m, DEF_HOOK, id, &hook, sizeof(hook), name);
}

static inline void maker_epoch(struct maker *m, uint32_t id, int64_t step, uint64_t begin,
			       uint64_t end)
{
	struct def_epoch epoch = { .step = step, .begin = begin, .end = end };

	maker_define(m, DEF_EPOCH, id, &epoch, sizeof(epoch), "");
}

static inline int maker_put_defs(struct maker *m)
{
	struct chunk_header h = { .type = CHUNK_DEFS };
	int err = chunk_writer_put(&m->w, &h, m->defs, m->defs_size);

	m->defs_size = 0;
	return err;
}

/* Four hooks, one kernel `adam`, one stream on one device whose clock is the host's + 1 s. */
static inline void maker_usual_defs(struct maker *m)
{
	struct def_launch launch = {
		.name = 1,
		.dimensions = 2,
		.has_local = 1,
		.global = { 64, 32 },
		.local = { 8, 4 },
	};
	struct def_stream stream = { .handle = 0xabc, .device = 1 };
	struct def_device_clock clock = { .device_ns = 1000000000, .ticks = 0, .width = 100 };

	maker_hook(m, HOOK_LAUNCH, EV_LAUNCH, "clEnqueueNDRangeKernel");
	maker_hook(m, HOOK_COPY, EV_COPY, "clEnqueueWriteBuffer");
	maker_hook(m, HOOK_ALLOC, EV_ALLOC, "clCreateBuffer");
	maker_hook(m, HOOK_FREE, EV_FREE, "clReleaseMemObject");
	maker_define(m, DEF_STRING, 1, NULL, 0, "adam");
	maker_define(m, DEF_LAUNCH, 7, &launch, sizeof(launch), "");
	maker_define(m, DEF_STREAM, 1, &stream, sizeof(stream), "");
	maker_define(m, DEF_DEVICE, 1, NULL, 0, "a device");
	maker_define(m, DEF_DEVICE_CLOCK, 1, &clock, sizeof(clock), "");
	maker_define(m, DEF_LIBRARY, 1, NULL, 0, "/usr/lib/libOpenCL.so.1");
}

static inline int maker_events(struct maker *m, uint32_t ring, uint32_t tid, uint32_t epoch,
			       uint64_t first_slot, const struct event *slots, size_t n,
			       uint64_t entered, uint64_t dropped)
{
	static struct encoder e;
	static uint8_t payload[8u << 20];
	struct chunk_header h = {
		.type = CHUNK_EVENTS,
		.ring = ring,
		.tid = tid,
		.epoch = epoch,
		.entered = entered,
		.dropped = dropped,
		.first_slot = first_slot,
	};

	for (size_t i = 0; i < n; i++)
		m->controls |= slots[i].hook < CTRL_FIRST ? 0 : 1u << (slots[i].hook - CTRL_FIRST);
	encode_begin(&e, payload, sizeof(payload));
	h.next_slot = first_slot + encode_slots(&e, slots, n);
	h.events = e.events;
	return chunk_writer_put(&m->w, &h, payload, encode_end(&e));
}

/* FOLDER/rankN.rtrace, of one rank of `world`. */
static inline void maker_create(struct maker *m, const char *folder, unsigned int rank, unsigned int world, uint64_t ahead, const char *host, const char *level,
				const char *contents)
{
	char text[256];
	int fd;

	snprintf(text, sizeof(text), "%s/rank%u.rtrace", folder, rank);
	fd = open(text, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0);
	maker_open(m, fd);
	m->w.file_id += rank;
	m->ahead = ahead;
	maker_clock(m, 0);
	snprintf(text, sizeof(text), "host=%s\npid=%u\nrank=%u\nrank_source=RANK\nworld=%u\nclock=ns\nlevel=%s\ncontents=%s\n", host, 40 + rank, rank, world, level,
		 contents);
	must(!maker_text(m, CHUNK_FILE, text));
}

static inline void maker_open_rank(struct maker *m, const char *folder, unsigned int rank, const char *contents)
{
	maker_create(m, folder, rank, 2, 0, "made", "level1", contents);
}

static inline void maker_end_rank(struct maker *m, uint64_t ns)
{
	maker_clock(m, ns);
	must(!maker_text(m, CHUNK_END, "reason=exit\ncause=none\nstep_source=api\n"));
	chunk_writer_free(&m->w);
	close(m->w.fd);
}
