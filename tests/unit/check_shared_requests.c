/* check_shared_requests.c - what was asked before a process began is none of its own, by the second: wherever in theirs its clocks are. */
#include <time.h>
#include "tests/lib/unit.h"

static struct timespec told_real, told_boot;

static int some_clock(clockid_t clock, struct timespec *t)
{
	*t = clock == CLOCK_REALTIME ? told_real : told_boot;
	return 0;
}

#define clock_gettime some_clock
#include "agent/steps/shared_requests.c"
#undef clock_gettime

static struct session_status status;
struct session_status *session = &status;

void apart_run(void (*run)(void *), void *argument)
{
	run(argument);
}

int threads_start(void *(*run)(void *))
{
	return run(NULL) != NULL;
}

uint64_t clock_now_ns(void)
{
	return 0;
}

#define BOOTED 1700000000ll /* seconds of the Unix epoch, and a part of one: in hundredths */

START_TEST(a_process_begins_in_the_second_in_which_it_does)
{
	int64_t tick = SECOND / sysconf(_SC_CLK_TCK);

	for (int64_t part = 0; part < 100; part += 7)
		for (int64_t start = 5000; start < 5100; start += 9) /* hundredths of a second since then */
			for (int64_t age = 0; age < 300; age += 11) {
				int64_t boot = BOOTED * SECOND + part * SECOND / 100, since = (start + age) * SECOND / 100;

				status.start_time = (uint64_t)(start * SECOND / 100 / tick);
				told_boot = (struct timespec){ since / SECOND, since % SECOND };
				told_real = (struct timespec){ (boot + since) / SECOND, (boot + since) % SECOND };
				ck_assert_int_eq(began(), (boot + start * SECOND / 100) / SECOND);
			}
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("shared_requests");

	tcase_add_test(c, a_process_begins_in_the_second_in_which_it_does);
	return unit_run("shared_requests", c);
}
