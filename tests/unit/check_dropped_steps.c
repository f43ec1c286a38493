/* check_dropped_steps.c - calls that found their thread's ring full are told with the steps in which they were made. */
#include <string.h>

#include "analysis/export/export.h"
#include "analysis/export/exporter.h"
#include "analysis/report/dropped_steps.h"
#include "tests/lib/told_traces.h"

/* The time line of the steps that were asked for. */
static char *time_line(const struct choice *choice)
{
	static char text[1u << 20];
	struct out o = { .fd = memfd_create("line", 0) };
	ssize_t n;

	end_trace();
	export_trace(&chrome_exporter, &(struct export){ .out = &o, .choice = choice, .trace = &trace, .kinds = UINT32_MAX }, &trace);
	out_flush(&o);
	n = pread(o.fd, text, sizeof(text) - 1, 0);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	trace_close(&trace);
	return text;
}

static unsigned int count_of(const char *text, const char *word)
{
	unsigned int n = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		n++;
	}
	return n;
}

static void put_lost(uint64_t calls, uint64_t begin, uint64_t end)
{
	slots[used++] = (struct event){ .hook = CTRL_LOST, .key = calls, .begin = begin, .arg = end };
}

static void end_lossy_trace(uint64_t dropped)
{
	ck_assert_int_eq(maker_events(&maker, 0, 11, 1, 0, slots, used, 3 + dropped, dropped), 0);
	used = 0;
}

START_TEST(calls_that_were_dropped_are_told_with_their_steps)
{
	begin_trace("");
	maker_usual_defs(&maker);
	for (uint32_t i = 1; i <= 5; i++)
		maker_epoch(&maker, i, i < 5 ? i : STEP_NULL, 1000 * i, 1000 * i + 1000);
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	put_slot((struct event){ .hook = CTRL_STEP, .key = 1 });
	put_event(HOOK_LAUNCH, 1100, 7, 0);
	put_lost(10, 1500, 1600);
	put_slot((struct event){ .hook = CTRL_STEP, .key = 4 });
	put_lost(7, 2500, 4100); /* from the middle of step 2 on */
	put_event(HOOK_LAUNCH, 4200, 7, 0);
	put_lost(2, 4300, 4400);
	put_slot((struct event){ .hook = CTRL_STEP, .key = 5 });
	put_lost(1, 5100, 5200);
	put_event(HOOK_LAUNCH, 5300, 7, 0);
	put_lost(3, 5400, 5500);
	end_lossy_trace(24);
	TELLS(report_of(end_trace(), false), "24 of 27 calls dropped: buffers were full");
	TELLS(report_of(end_trace(), false), "  of these in step 1 10, in steps 2 to 4 7, in step 4 2, outside of steps 4, elsewhere 1\n");
	TELLS(report_of(end_trace(), true), "\"dropped_in\":[{\"first_step\":1,\"last_step\":1,\"calls\":10},"
					    "{\"first_step\":2,\"last_step\":4,\"calls\":7},{\"first_step\":4,\"last_step\":4,\"calls\":2},"
					    "{\"first_step\":null,\"last_step\":null,\"calls\":4}]");
	ck_assert_uint_eq(count_of(time_line(&CHOICE_ALL), "\"ph\":\"i\""), 5);
	TELLS(time_line(&CHOICE_ALL), "\"name\":\"7 calls dropped\",\"cat\":\"dropped\"");
	TELLS(time_line(&CHOICE_ALL), "\"args\":{\"calls\":7,\"within_ns\":1600}}");
	ck_assert_uint_eq(count_of(time_line(&(struct choice){ .steps = { .count = 1, .range[0] = { 4, 4 } }, .ranks.all = true }), "\"ph\":\"i\""), 2);
}
END_TEST

START_TEST(steps_of_dropped_calls_that_have_no_row_are_told_as_elsewhere)
{
	begin_trace("");
	maker_usual_defs(&maker);
	for (uint32_t i = 1; i <= DROPPED_PLACES + 44; i++)
		maker_epoch(&maker, i, i, 1000 * i, 1000 * i + 1000);
	ck_assert_int_eq(maker_put_defs(&maker), 0);
	for (uint32_t i = 1; i <= DROPPED_PLACES + 44; i++) {
		put_slot((struct event){ .hook = CTRL_STEP, .key = i });
		put_lost(1, 1000 * i + 1, 1000 * i + 2);
		put_event(HOOK_LAUNCH, 1000 * i + 3, 7, 0);
	}
	end_lossy_trace(DROPPED_PLACES + 44);
	TELLS(report_of(end_trace(), false), "in step 5 1, elsewhere 295\n");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("dropped_steps");

	tcase_add_test(t, calls_that_were_dropped_are_told_with_their_steps);
	tcase_add_test(t, steps_of_dropped_calls_that_have_no_row_are_told_as_elsewhere);
	return unit_run("dropped_steps", t);
}
