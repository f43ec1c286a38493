/* check_reader.c - traces of known content read back: every field, every sum, every time. */
#include "tests/lib/made_ascend.h"

#include "tests/lib/unit.h"
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "analysis/report/collect.h"
#include "analysis/report/copies.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/report/memory.h"
#include "analysis/report/section.h"
#include "analysis/report/step_rows.h"
#include "analysis/trace/trace.h"

/* ---- what a pass over the events saw ---- */

struct seen {
	unsigned int events, devices, unknown;
	struct trace_event copy, alloc, last;
	struct trace_device device;
};

static void see_event(void *context, const struct trace_event *ev)
{
	struct seen *seen = context;

	seen->events++;
	seen->unknown += ev->kind == EV_KINDS;
	if (ev->kind == EV_COPY)
		seen->copy = *ev;
	if (ev->kind == EV_ALLOC && !seen->alloc.name)
		seen->alloc = *ev;
	seen->last = *ev;
}

static void see_device(void *context, const struct trace_device *dev)
{
	struct seen *seen = context;

	seen->devices++;
	seen->device = *dev;
}

static struct trace trace;

static struct seen read_trace(void)
{
	struct seen seen = { 0 };
	struct visitor v = { .event = see_event, .device = see_device, .context = &seen };
	char *paths[] = { path };

	trace_open(&trace, paths, 1);
	for (size_t i = 0; i < trace.count; i++) {
		if (!process_load(&trace.processes[i]))
			process_events(&trace.processes[i], &v);
	}
	return seen;
}

#define CTRL_BIT(control) (1u << ((control)-CTRL_FIRST))

/* A kind, definition or control that the made traces lack is none that a later reader is checked with. */
START_TEST(the_made_traces_hold_every_definition_kind_and_control)
{
	uint32_t controls = (2u << (CTRL_DEVICE - CTRL_FIRST)) - 1;

	make_ascend_trace();
	close_file();
	ck_assert_uint_eq(maker.definitions, ((2u << DEF_POOL) - 2) | 1u << DEF_GRAPH | 1u << DEF_STACK | 1u << DEF_CODE | 1u << DEF_MODULE);
	ck_assert_uint_eq(maker.kinds, (1u << EV_KINDS) - 1);
	ck_assert_uint_eq(maker.controls, controls | CTRL_BIT(CTRL_ITEMS) | CTRL_BIT(CTRL_GIVEN) | CTRL_BIT(CTRL_CAPTURED) |
						  CTRL_BIT(CTRL_TOTALS) | CTRL_BIT(CTRL_STACK));
}
END_TEST

START_TEST(every_field_of_an_event_comes_back)
{
	struct seen seen;

	make_trace();
	seen = read_trace();

	ck_assert_uint_eq(seen.events, LAUNCHES + 5);
	ck_assert_str_eq(seen.copy.name, "clEnqueueWriteBuffer");
	ck_assert_uint_eq(seen.copy.begin_ns, MAKER_REALTIME + 9000);
	ck_assert_uint_eq(seen.copy.duration_ns, 10);
	ck_assert_uint_eq(seen.copy.bytes, 4096);
	ck_assert_uint_eq(seen.copy.direction, DIR_H2D);
	ck_assert_uint_eq(seen.copy.address, 0x1000);
	ck_assert_uint_eq(seen.copy.source, 0x2000);
	ck_assert_int_eq(seen.copy.result, -5);
	ck_assert_int_eq(seen.copy.step, 2);
	ck_assert_uint_eq(seen.copy.tid, 11);
	ck_assert(!seen.copy.nested);
	ck_assert_uint_eq(seen.alloc.duration_ns, 1ull << 33);
	ck_assert(seen.alloc.nested);
	ck_assert_int_eq(seen.last.step, 3);
	ck_assert_uint_eq(seen.last.tid, 12);
	ck_assert_uint_eq(seen.devices, 1);
	ck_assert_uint_eq(seen.device.begin_ns, MAKER_REALTIME + 2000);
	ck_assert_str_eq(seen.device.launch->name, "adam");
	ck_assert(!process_lost(&trace.processes[0]));
	trace_close(&trace);
	close_file();
}
END_TEST

START_TEST(the_report_adds_up)
{
	struct report r = { 0 };
	const struct copies *copies;
	const struct memory *memory;

	make_trace();
	read_trace();
	process_unload(&trace.processes[0]);
	ck_assert_int_eq(process_load(&trace.processes[0]), 0);
	sections_make(&r);
	collect_events(&r, &trace.processes[0], &CHOICE_ALL);
	copies = r.sections[SECTION_copies];
	memory = r.sections[SECTION_memory];

	ck_assert_uint_eq(r.kept, LAUNCHES + 5);
	ck_assert_uint_eq(r.step_count, 2);
	ck_assert_int_eq(r.steps[0].step, 2);
	ck_assert_uint_eq(r.steps[0].begin, MAKER_REALTIME + 500);
	ck_assert_uint_eq(r.steps[0].end - r.steps[0].begin, 9500);
	ck_assert_uint_eq(r.steps[0].sums[WORK_COMPUTE], 30);
	ck_assert(r.steps[0].by_device);
	ck_assert_uint_eq(r.steps[1].sums[WORK_COMPUTE], 0);
	ck_assert_uint_eq(copies->rows[DIR_H2D].bytes, 0); /* it failed */
	ck_assert_uint_eq(memory->all.allocations, 2);	   /* the nested one is its outer call's */
	ck_assert_uint_eq(memory->all.frees, 1);
	ck_assert_uint_eq(memory->all.peak_bytes, 64);
	ck_assert_uint_eq(memory->all.unfreed_bytes, 32);
	ck_assert_str_eq(r.kernels[0].name, "adam");
	report_free(&r);
	trace_close(&trace);
	close_file();
}
END_TEST

START_TEST(definitions_survive_the_loss_of_an_events_chunk)
{
	struct seen seen;
	uint8_t bad = 0xff;

	make_trace();
	/* The first EVENTS chunk is the third of the file. */
	struct reader r;
	struct chunk chunk;

	ck_assert_int_eq(reader_open(&r, path, UINT64_MAX), 0);
	for (int i = 0; i < 3; i++)
		ck_assert(reader_next(&r, &chunk));
	ck_assert_int_eq(pwrite(fd, &bad, 1, (off_t)(chunk.offset + sizeof(chunk.header) + 3)), 1);
	reader_close(&r);

	seen = read_trace();
	ck_assert_uint_eq(seen.events, 3);
	ck_assert_uint_eq(seen.unknown, 0);
	ck_assert(process_lost(&trace.processes[0]));
	trace_close(&trace);
	close_file();
}
END_TEST

START_TEST(slots_written_twice_are_read_once)
{
	make_trace();
	put_ring_2();
	ck_assert_uint_eq(read_trace().events, LAUNCHES + 5);
	trace_close(&trace);
	close_file();
}
END_TEST

START_TEST(a_gap_in_a_ring_is_told)
{
	struct event slot = { .begin = 30000, .duration = 1, .hook = HOOK_LAUNCH, .key = 7 };

	make_trace();
	ck_assert_int_eq(maker_events(&maker, 2, 12, 3, 15, &slot, 1, 4, 0), 0);
	read_trace();
	ck_assert_uint_eq(trace.processes[0].files[0].lost_slots, 10);
	trace_close(&trace);
	close_file();
}
END_TEST

/* ---- clocks ---- */

START_TEST(times_never_run_backwards)
{
	struct timeline t = { 0 };
	uint64_t before = 0;

	srandom(3);
	for (uint64_t i = 0; i < 100; i++)
		timeline_add(&t, i * 300000000, i * 100000000 + (uint64_t)(random() % 10000), 0);
	timeline_finish(&t, 1, TIMELINE_ONE);
	for (uint64_t ticks = 0; ticks < 31000000000; ticks += 1234567) {
		uint64_t ns = timeline_convert(&t, ticks);

		ck_assert_uint_ge(ns, before);
		before = ns;
	}
	timeline_free(&t);
}
END_TEST

START_TEST(a_calibration_of_wide_error_bends_no_line)
{
	struct timeline t = { 0 };

	timeline_add(&t, 0, 5000, 100);
	timeline_add(&t, 2000, 9000, 5000);
	timeline_add(&t, 1000000000, 1000005000, 100);
	timeline_finish(&t, 100000000, TIMELINE_ONE);
	ck_assert_uint_eq(timeline_convert(&t, 2000), 7000);
	ck_assert_uint_eq(timeline_convert(&t, 3000000000), 3000005000);
	timeline_free(&t);
}
END_TEST

/* The flags that a hook of this name and byte has when it is read. */
static unsigned int flags_read(const char *name, uint8_t written)
{
	struct def_hook hook = { .kind = EV_ALLOC, .flags = written };
	struct defs defs;
	unsigned int flags;

	defs_init(&defs);
	maker.defs_size = 0;
	maker_define(&maker, DEF_HOOK, 9, &hook, sizeof(hook), name);
	defs_parse(&defs, NULL, maker.defs, maker.defs_size);
	flags = ((const struct hook_name *)table_find(&defs.hooks, 9))->flags;
	defs_free(&defs);
	return flags;
}

START_TEST(a_file_says_what_is_host_memory_and_of_older_ones_the_rows_do)
{
	ck_assert_uint_eq(flags_read("getPinned", DEF_HOOK_SAID | DEF_HOOK_HOST), DEF_HOOK_SAID | DEF_HOOK_HOST);
	ck_assert_uint_eq(flags_read("aclrtMallocHost", DEF_HOOK_SAID), DEF_HOOK_SAID);
	ck_assert_uint_eq(flags_read("aclrtMallocHost", 0), DEF_HOOK_HOST);
	ck_assert_uint_eq(flags_read("aclrtMalloc", 0), 0);
	ck_assert_uint_eq(flags_read("unheardOfHost", 0), 0);
}
END_TEST

START_TEST(a_file_says_what_begins_a_range_and_of_older_ones_the_rows_do)
{
	ck_assert_uint_eq(flags_read("unheardOfPush", DEF_HOOK_SAID | DEF_HOOK_BEGINS), DEF_HOOK_SAID | DEF_HOOK_BEGINS);
	ck_assert_uint_eq(flags_read("mstxRangeStartA", 0), DEF_HOOK_BEGINS);
	ck_assert_uint_eq(flags_read("mstxDomainRangeEnd", 0), DEF_HOOK_ENDS);
	ck_assert_uint_eq(flags_read("aclprofRangePushEx", 0), DEF_HOOK_BEGINS | DEF_HOOK_NESTS);
	ck_assert_uint_eq(flags_read("aclprofPop", 0), DEF_HOOK_ENDS | DEF_HOOK_NESTS);
	ck_assert_uint_eq(flags_read("mstxMarkA", 0), 0);
	ck_assert_uint_eq(flags_read("msptiActivityPopExternalCorrelationId", 0), 0);
}
END_TEST

/* What a launch tells of shared memory whose definition has so many bytes. */
static struct launch launch_read(size_t size, uint32_t dimensions)
{
	struct {
		struct def_launch launch;
		uint64_t shared, later;
	} d = { { .dimensions = dimensions, .global = { 64 } }, 1ull << 40, 7 };
	struct launch launch = { 0 };
	struct defs defs;

	defs_init(&defs);
	maker.defs_size = 0;
	maker_define(&maker, DEF_LAUNCH, 9, &d, size, "");
	defs_parse(&defs, NULL, maker.defs, maker.defs_size);
	if (table_find(&defs.launches, 9))
		launch = *(const struct launch *)table_find(&defs.launches, 9);
	defs_free(&defs);
	return launch;
}

START_TEST(a_launch_tells_its_shared_memory_where_the_file_does)
{
	struct launch launch = launch_read(sizeof(struct def_launch), 1);

	ck_assert_uint_eq(launch.def.global[0], 64);
	ck_assert(!launch.has_shared);
	launch = launch_read(sizeof(struct def_launch) + 7, 1);
	ck_assert_uint_eq(launch.def.global[0], 64);
	ck_assert(!launch.has_shared);
	launch = launch_read(sizeof(struct def_launch) + 8, 1);
	ck_assert(launch.has_shared);
	ck_assert_uint_eq(launch.shared, 1ull << 40);
	launch = launch_read(sizeof(struct def_launch) + 16, 4); /* of a later version, and of too many dimensions */
	ck_assert_uint_eq(launch.def.dimensions, 0);
	ck_assert_uint_eq(launch.shared, 1ull << 40);
	ck_assert(!launch_read(sizeof(struct def_launch) - 1, 1).has_shared);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("reader");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, the_made_traces_hold_every_definition_kind_and_control);
	tcase_add_test(t, every_field_of_an_event_comes_back);
	tcase_add_test(t, the_report_adds_up);
	tcase_add_test(t, definitions_survive_the_loss_of_an_events_chunk);
	tcase_add_test(t, slots_written_twice_are_read_once);
	tcase_add_test(t, a_gap_in_a_ring_is_told);
	tcase_add_test(t, times_never_run_backwards);
	tcase_add_test(t, a_calibration_of_wide_error_bends_no_line);
	tcase_add_test(t, a_file_says_what_is_host_memory_and_of_older_ones_the_rows_do);
	tcase_add_test(t, a_file_says_what_begins_a_range_and_of_older_ones_the_rows_do);
	tcase_add_test(t, a_launch_tells_its_shared_memory_where_the_file_does);
	return unit_run("reader", t);
}
