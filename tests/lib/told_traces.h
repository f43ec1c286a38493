/* told_traces.h - traces of many slots in one ring, for unit tests of what readers make of them; and what the report says. */
#pragma once
#include <string.h>
#include <sys/mman.h>

#include "analysis/report/run_of.h"
#include "analysis/report/section.h"
#include "tests/lib/small_traces.h"
#include "tests/lib/unit.h"

#define CHUNK 32768 /* slots */

static struct maker maker;
static struct event slots[CHUNK];
static size_t used;
static uint64_t written;
static char path[64];
static struct trace trace;

static inline void begin_trace(const char *facts)
{
	int fd = memfd_create("trace", 0);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	maker_open(&maker, fd);
	maker_clock(&maker, 1);
	used = written = 0;
	ck_assert_int_eq(maker_text(&maker, CHUNK_FILE, "clock=ns\nhost=h\npid=1\nrank=0\n"), 0);
	if (*facts)
		ck_assert_int_eq(maker_text(&maker, CHUNK_STATUS, facts), 0);
}

static inline void flush_slots(void)
{
	if (used)
		ck_assert_int_eq(maker_events(&maker, 0, 11, 1, written, slots, used, written + used, 0), 0);
	written += used;
	used = 0;
}

static inline void put_slot(struct event slot)
{
	slots[used++] = slot;
	if (used == CHUNK)
		flush_slots();
}

static inline uint64_t next_slot(void)
{
	return written + used;
}

static inline void put_event(uint16_t hook, uint64_t begin, uint64_t key, uint64_t arg)
{
	put_slot((struct event){ .begin = begin, .duration = 1, .hook = hook, .stream = 1, .key = key, .arg = arg });
}

static inline void put_device_time(uint16_t hook, uint64_t slot, uint64_t key)
{
	put_slot((struct event){
		.begin = 1000000000 + 5,
		.duration = 3,
		.hook = CTRL_DEVICE,
		.stream = 1,
		.key = key,
		.arg = DEVICE_REF(0, hook, slot),
	});
}

/* The process of the trace, not loaded yet. */
static inline struct process *end_trace(void)
{
	char *paths[] = { path };

	flush_slots();
	trace_open(&trace, paths, 1);
	ck_assert_uint_eq(trace.count, 1);
	return &trace.processes[0];
}

/* What the report says of it. */
static inline char *report_of(struct process *p, bool json)
{
	static char text[8u << 20];
	struct out o = { .fd = memfd_create("report", 0) };
	struct report r = { 0 };
	struct known_runs runs = { 0 };
	struct sessions sessions = { 0 };
	ssize_t n;

	report_read(&r, p, &CHOICE_ALL, &sessions, &runs);
	if (json)
		report_json(&o, &r, 1, &(struct shown){ .top = 10 });
	else
		report_text(&o, &r, 1, &(struct shown){ .top = 10 });
	out_flush(&o);
	n = pread(o.fd, text, sizeof(text) - 1, 0);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	report_free(&r);
	trace_close(&trace);
	return text;
}

#define TELLS(text, line) ck_assert_msg(strstr(text, line) != NULL, "no '%s' in:\n%s", line, text)
