/* check_progress.c - what a person at a terminal is told of long work, and what stands in a log. The clock and the terminal are the test's own. */
#include "analysis/util/progress.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/unit.h"

static double now;
static int terminal;

/* In place of libc's. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = (time_t)now;
	t->tv_nsec = (long)((now - (double)t->tv_sec) * 1e9);
	return 0;
}

int isatty(int fd)
{
	(void)fd;
	return terminal;
}

/* What standard error got while `work` was done, which took so long. */
static const char *said(double seconds, void (*work)(double seconds))
{
	static char text[512];
	FILE *file = tmpfile();
	int old = dup(STDERR_FILENO);
	size_t n;

	ck_assert(file && old >= 0);
	dup2(fileno(file), STDERR_FILENO);
	now = 100;
	progress_begin();
	work(seconds);
	dup2(old, STDERR_FILENO);
	close(old);
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

/* A quarter is done after so long; then the end. */
static void quarter(double seconds)
{
	now += seconds;
	progress_share("export", 0.25, 12000000);
	progress_share_end("exported", 12000000);
}

static void looked_at_often(double seconds)
{
	now += seconds;
	for (int i = 0; i < 1000; i++) {
		progress_share("export", 0.5, 1000000);
		now += 0.001;
	}
	progress_end();
}

START_TEST(a_terminal_shows_share_rate_and_time_left_and_is_wiped)
{
	terminal = 1;
	ck_assert_str_eq(said(4, quarter), "\rexport: 25 %, 3.0 M events/s, 12 s left\033[K\r\033[K");
}
END_TEST

START_TEST(elsewhere_there_is_one_line_at_the_end)
{
	terminal = 0;
	ck_assert_str_eq(said(4, quarter), "ranktrace: exported 12000000 events in 4 s, 3.0 M events/s\n");
}
END_TEST

START_TEST(of_what_is_short_nothing_is_said)
{
	for (terminal = 0; terminal < 2; terminal++)
		ck_assert_str_eq(said(1.5, quarter), "");
}
END_TEST

START_TEST(the_line_changes_five_times_a_second_at_most)
{
	const char *text;
	int lines = 0;

	terminal = 1;
	text = said(10, looked_at_often);
	while ((text = strchr(text, '\r'))) {
		lines++;
		text++;
	}
	ck_assert_int_eq(lines, 5 + 1);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("progress");

	tcase_add_test(t, a_terminal_shows_share_rate_and_time_left_and_is_wiped);
	tcase_add_test(t, elsewhere_there_is_one_line_at_the_end);
	tcase_add_test(t, of_what_is_short_nothing_is_said);
	tcase_add_test(t, the_line_changes_five_times_a_second_at_most);
	return unit_run("progress", t);
}
