/* check_one_ring.c - of a program whose calls stand in one ring little is kept: its report is that of who keeps all. */
#include "tests/lib/made_trace.h"

#include "tests/lib/unit.h"

#include "analysis/report/collect.h"
#include "analysis/report/memory.h"
#include "analysis/report/section.h"
#include "analysis/report/step_rows.h"
#include "analysis/trace/trace.h"

#define STEPS	 3
#define LAUNCHED 4000 /* a step: more than what makes a step that is over */

static struct trace trace;
static struct event slots[LAUNCHED];

/* No device has a clock: nothing comes late. */
static void begin_file(void)
{
	open_file();
	maker_clock(&maker, 0);
	maker_text(&maker, CHUNK_FILE, "host=h\npid=41\nrank=3\nclock=ns\nrank_source=RANK\ncontents=cpu,memory\n");
	maker_hook(&maker, HOOK_LAUNCH, EV_LAUNCH, "clEnqueueNDRangeKernel");
	maker_hook(&maker, HOOK_ALLOC, EV_ALLOC, "clCreateBuffer");
	maker_hook(&maker, HOOK_FREE, EV_FREE, "clReleaseMemObject");
	for (unsigned int step = 1; step <= STEPS; step++)
		maker_epoch(&maker, 1 + step, step, 1000000 * step, 1000000 * (step + 1));
	maker_put_defs(&maker);
}

static struct report report_of_file(void)
{
	struct report r = { 0 };
	char *paths[] = { path };

	maker_text(&maker, CHUNK_END, "reason=exit\ncause=none\nstep_source=api\n");
	trace_open(&trace, paths, 1);
	ck_assert_int_eq(process_load(&trace.processes[0]), 0);
	ck_assert(process_has_one_ring(&trace.processes[0]));
	sections_make(&r);
	collect_events(&r, &trace.processes[0], &CHOICE_ALL);
	return r;
}

static void forget(struct report *r)
{
	sections_free(r);
	collect_free(r);
	trace_close(&trace);
	close_file();
}

START_TEST(what_a_free_was_called_around_is_allocated_behind_it)
{
	const struct event memory[] = {
		{ .begin = 1001000, .duration = 10, .hook = HOOK_ALLOC, .key = 0x1000, .arg = EVENT_ARG(100, DIR_NONE) },
		{ .begin = 1002010, .duration = 10, .hook = HOOK_ALLOC, .key = 0x2000, .arg = EVENT_ARG(100, DIR_NONE) },
		{ .begin = 1002000, .duration = 90, .hook = HOOK_FREE, .key = 0x1000 },
	};
	const struct memory *sums;
	struct report r;

	begin_file();
	maker_events(&maker, 1, 11, 2, 0, memory, 3, 3, 0);
	r = report_of_file();
	sums = r.sections[SECTION_memory];

	ck_assert_uint_eq(sums->all.peak_bytes, 100);
	ck_assert_uint_eq(sums->all.unfreed_bytes, 100);
	forget(&r);
}
END_TEST

static void put_step(unsigned int step)
{
	for (size_t i = 0; i < LAUNCHED; i++)
		slots[i] = (struct event){ .begin = 1000000 * step + 100 * i, .duration = 50, .hook = HOOK_LAUNCH, .stream = 1 };
	maker_events(&maker, 1, 11, 1 + step, LAUNCHED * (step - 1), slots, LAUNCHED, LAUNCHED * step, 0);
}

START_TEST(steps_that_are_summed_up_early_have_all_their_time)
{
	struct report r;

	begin_file();
	for (unsigned int step = 1; step <= STEPS; step++)
		put_step(step);
	r = report_of_file();

	ck_assert_uint_eq(r.kept, STEPS * LAUNCHED);
	ck_assert_uint_eq(r.step_count, STEPS);
	for (size_t i = 0; i < STEPS; i++) {
		ck_assert_int_eq(r.steps[i].step, i + 1);
		ck_assert_uint_eq(r.steps[i].events, LAUNCHED);
		ck_assert_uint_eq(r.steps[i].sums[WORK_COMPUTE], 50 * LAUNCHED);
		ck_assert_uint_eq(r.steps[i].idle, 1000000 - 50 * LAUNCHED);
	}
	forget(&r);
}
END_TEST

struct seen {
	size_t count, stretches;
	uint64_t last; /* slot */
};

static void see(void *context, const struct trace_event *ev)
{
	struct seen *seen = context;

	ck_assert(!seen->count || ev->slot == seen->last + 1);
	ck_assert_int_eq(ev->step, ev->slot / LAUNCHED + 1);
	seen->last = ev->slot;
	seen->count++;
}

static void see_some(void *context, const struct trace_event *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		see(context, &list[i]);
	((struct seen *)context)->stretches++;
}

START_TEST(events_come_one_by_one_or_some_at_a_time)
{
	struct seen one = { 0 }, some = { 0 };
	struct visitor single = { .event = see, .context = &one }, several = { .events = see_some, .context = &some };
	struct report r;

	begin_file();
	for (unsigned int step = 1; step <= STEPS; step++)
		put_step(step);
	r = report_of_file();
	process_events(&trace.processes[0], &single);
	process_events(&trace.processes[0], &several);

	ck_assert_uint_eq(one.count, STEPS * LAUNCHED);
	ck_assert_uint_eq(some.count, one.count);
	ck_assert_uint_lt(some.stretches, some.count / 8);
	forget(&r);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("one_ring");

	tcase_add_test(t, what_a_free_was_called_around_is_allocated_behind_it);
	tcase_add_test(t, steps_that_are_summed_up_early_have_all_their_time);
	tcase_add_test(t, events_come_one_by_one_or_some_at_a_time);
	return unit_run("one_ring", t);
}
