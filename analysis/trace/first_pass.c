/* first_pass.c - the first pass over a process: clocks, definitions, texts and counters, but no event. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/format/session_files.h"
#include "analysis/trace/trace.h"

#define KNOT_SPACING 100000000u /* 0.1 s */

static enum clock_kind clock_named(const char *word)
{
	if (!strcmp(word, "tsc"))
		return CLOCK_TSC;
	return !strcmp(word, "cntvct") ? CLOCK_CNTVCT : CLOCK_NANOSECONDS;
}

static void take_status(struct process *p, struct trace_file *f, const uint8_t *text, size_t size)
{
	struct key_values own = { 0 };

	key_values_parse(&own, text, size);
	f->totals |= key_values_get(&own, "entered") != NULL;
	f->entered = key_values_number(&own, "entered", f->entered);
	f->dropped = key_values_number(&own, "dropped", f->dropped);
	key_values_free(&own);
	key_values_parse(&p->facts, text, size);
}

static void take_ring(struct trace_file *f, const struct chunk_header *h)
{
	struct ring_count *ring = table_put(&f->rings, h->ring);

	f->events = true;
	f->kept += h->events;
	ring->events |= h->events;
	/* A call entered in one ring may have its event in the next: of one alone that may be less than none. */
	if ((int64_t)h->entered > (int64_t)ring->entered || !ring->known)
		ring->entered = h->entered;
	ring->known = true;
	if (h->dropped > ring->dropped)
		ring->dropped = h->dropped;
}

static void take_chunk(struct process *p, struct trace_file *f, struct reader *r,
		       const struct chunk *chunk)
{
	const struct chunk_header *h = &chunk->header;
	const uint8_t *payload;
	size_t size;

	if (h->type == CHUNK_EVENTS) {
		take_ring(f, h);
		return;
	}
	if (h->type == CHUNK_TIMES)
		return;
	payload = reader_payload(r, chunk, &size);
	if (!payload) {
		f->refused++;
		return;
	}

	switch (h->type) {
	case CHUNK_FILE:
		key_values_parse(&p->facts, payload, size);
		break;
	case CHUNK_DEFS:
		defs_parse(&p->defs, &p->facts, payload, size);
		break;
	case CHUNK_END:
		f->ended = true;
		f->recovered = h->flags & CHUNK_RECOVERED;
		/* fall through */
	case CHUNK_STATUS:
		take_status(p, f, payload, size);
		break;
	}
}

/* How many ns (with 48 binary digits) a tick has, if the file says so; 0: it does not. */
static uint64_t rate_by_name(const struct process *p)
{
	uint64_t hz = key_values_number(&p->facts, "tick_hz", 0);
	unsigned __int128 rate = hz ? ((unsigned __int128)1000000000u << 48) / hz : 0;

	return rate > UINT64_MAX ? 0 : (uint64_t)rate;
}

static bool holds_events(const struct process *p)
{
	for (size_t i = 0; i < p->file_count; i++) {
		if (p->files[i].events)
			return true;
	}
	return false;
}

static int finish_clock(struct process *p)
{
	p->realtime_offset = p->files[0].first_realtime - p->files[0].first_monotonic;
	if (clock_named(process_fact(p, "clock")) == CLOCK_NANOSECONDS) {
		timeline_free(&p->to_monotonic);
		return 0;
	}
	timeline_finish(&p->to_monotonic, KNOT_SPACING, rate_by_name(p));
	if (p->to_monotonic.rate || !holds_events(p))
		return 0;
	fprintf(stderr, "ranktrace: %s: one clock reading and no tick_hz, so there are no times: "
			"leave the files of this process out\n",
		p->files[0].path);
	return -1;
}

static int load_file(struct process *p, struct trace_file *f)
{
	struct reader r;
	struct chunk chunk;
	int err = trace_file_open(&r, f, UINT64_MAX);

	if (err) {
		fprintf(stderr, "ranktrace: %s: %s\n", f->path, strerror(-err));
		return -1;
	}
	f->limit = r.size;
	f->kept = f->refused = 0;
	f->rings = TABLE(struct ring_count);
	while (reader_next(&r, &chunk)) {
		timeline_add(&p->to_monotonic, chunk.header.ticks, chunk.header.monotonic, 0);
		take_chunk(p, f, &r, &chunk);
	}
	f->loss = r.loss;
	f->newer = r.newer;
	if (r.newer)
		fprintf(stderr, "ranktrace: %s: parts were written by a newer version and are skipped\n",
			f->path);
	reader_close(&r);
	return 0;
}

static void finish_device(struct process *p, struct device *device)
{
	for (size_t i = 0; i < device->clock_count; i++) {
		const struct def_device_clock *c = &device->clocks[i];
		uint64_t host = process_time(p, c->ticks);

		timeline_add(&device->to_host, c->device_ns, host,
			     process_time(p, c->ticks + c->width) - host);
	}
	timeline_finish(&device->to_host, KNOT_SPACING, TIMELINE_ONE);
}

int process_load(struct process *p)
{
	defs_init(&p->defs);
	for (size_t i = 0; i < p->file_count; i++) {
		if (load_file(p, &p->files[i]))
			return -1;
	}
	if (finish_clock(p))
		return -1;
	process_identify(p);
	defs_finish(&p->defs);
	for (size_t i = 0; i < p->defs.devices.count; i++)
		finish_device(p, table_item(&p->defs.devices, i));
	return 0;
}

static bool take_group(struct process *p, const uint8_t *definitions, size_t size)
{
	struct key_values told = { 0 };
	struct defs defs;
	const char *group;

	defs_init(&defs);
	defs_parse(&defs, &told, definitions, size);
	group = key_values_get(&told, "worker_group");
	if (group)
		key_values_set(&p->facts, "worker_group", group);
	defs_free(&defs);
	key_values_free(&told);
	return *process_fact(p, "worker_group");
}

static bool find_group_in(struct process *p, struct trace_file *f)
{
	struct reader r;
	struct chunk chunk;
	const uint8_t *payload;
	size_t size;
	bool found = false;

	if (trace_file_open(&r, f, UINT64_MAX))
		return false; /* whoever loads it says why */
	while (!found && reader_next(&r, &chunk))
		if (chunk.header.type == CHUNK_DEFS && (payload = reader_payload(&r, &chunk, &size)))
			found = take_group(p, payload, size);
	reader_close(&r);
	return found;
}

void process_find_group(struct process *p)
{
	for (size_t i = 0; i < p->file_count; i++)
		if (find_group_in(p, &p->files[i]))
			return;
}

void process_unload(struct process *p)
{
	defs_free(&p->defs);
	timeline_free(&p->to_monotonic);
	for (size_t i = 0; i < p->file_count; i++)
		table_free(&p->files[i].rings);
	table_free(&p->positions);
}
