/* recovered_file.h - what is in the file of a session that dead_session.h made, once it is recovered. */
#pragma once
#include <check.h>
#include <stdint.h>

#include "analysis/trace/trace.h"

struct seen {
	unsigned int events, steps[8], threads[16];
};

static void see(void *context, const struct trace_event *ev)
{
	struct seen *seen = context;

	seen->events++;
	seen->steps[ev->step & 7]++;
	seen->threads[ev->tid & 15]++;
	ck_assert_ptr_nonnull(ev->launch);
	ck_assert_str_eq(ev->launch->name, "adam");
}

static struct trace trace;

/* The file stays open as `trace`. */
static struct seen read_back(const char *path)
{
	char *paths[] = { (char *)path };
	struct seen seen = { 0 };
	struct visitor v = { .event = see, .context = &seen };

	trace_open(&trace, paths, 1);
	ck_assert_uint_eq(trace.count, 1);
	ck_assert_int_eq(process_load(&trace.processes[0]), 0);
	process_events(&trace.processes[0], &v);
	return seen;
}

/* So many events, and all else that the session told. */
static void expect_all(const char *path, unsigned int events)
{
	struct seen seen = read_back(path);
	const struct process *p = &trace.processes[0];

	ck_assert_uint_eq(seen.events, events);
	ck_assert_uint_eq(seen.steps[5], 48);
	ck_assert_uint_eq(seen.threads[12], 39);
	ck_assert(p->has_rank && p->rank == 3);
	ck_assert(p->files[0].ended && p->files[0].recovered);
	ck_assert_uint_eq(p->files[0].entered, 304);
	ck_assert_uint_eq(p->files[0].dropped, 6);
	ck_assert_str_eq(process_fact(p, "unrecorded.clReleaseMemObject"), "17");
	ck_assert_str_eq(process_fact(p, "in_call.12"), "clEnqueueWriteBuffer");
	trace_close(&trace);
}
