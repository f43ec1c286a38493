/*
 * store CASE - a program that records while something is wrong with disk, memory or descriptors. It
 * prints a number at the end, which the fault must not change; the fake library counts its calls.
 */
#include "calls.h"
#include "filter.h"
#include "limits.h"
#include "threads.h"
#include "tests/lib/count_entries.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int few(void)
{
	calls(5000);
	return 0;
}

static int much(void)
{
	for (int i = 0; i < 80; i++) {
		calls(5000);
		usleep(2000);
	}
	return 0;
}

/* In each of four steps. */
static int few_in_steps(void)
{
	for (int n = 1; n <= 4; n++) {
		step(n);
		calls(100);
	}
	return 0;
}

/* Two windows, a word in between. */
static int windows(void)
{
	step(1);
	calls(3000);
	step(2);
	calls(100);
	wait_for_word("between");
	step(3);
	calls(3000);
	step(4);
	calls(100);
	return 0;
}

/* The first one's file is ended while the second one's calls are made. */
static int windows_at_once(void)
{
	step(1);
	calls(3000);
	step(2);
	step(3);
	calls(600000);
	step(4);
	return 0;
}

/* The calls are made while the disk stands still, then the word is given, then a few more. */
static int while_stalled(void)
{
	calls(10);
	calls(200000);
	wait_for_word("called");
	calls(10);
	return 0;
}

/* In the middle somebody clears /dev/shm up: the word is given when he is done. */
static int cleaned(void)
{
	calls(3000);
	wait_for_word("called");
	for (int i = 0; i < 12; i++) {
		calls(5000);
		usleep(30000);
	}
	return 0;
}

static int killed(void)
{
	step(1);
	calls(300);
	return kill(getpid(), SIGKILL);
}

static int left(void)
{
	calls(300);
	_exit(0);
}

/* Records its first step; then a child calls, and ends without a word, by itself or by a signal. */
static int with_child(int sig)
{
	step(1);
	calls(100);
	step(2);
	if (!fork()) {
		calls(10);
		kill(getpid(), sig);
		_exit(0);
	}
	wait(NULL);
	calls(10);
	return 0;
}

static int child_leaves(void)
{
	return with_child(0);
}

static int child_is_killed(void)
{
	return with_child(SIGKILL);
}

/* Outside of the steps to be recorded: what there is of us in the process can be counted. */
static int dormant(void)
{
	calls(5000);
	printf("%d threads, %d descriptors\n", folder_entries("/proc/self/task") - 2, folder_entries("/proc/self/fd") - 3);
	return 0;
}

static int steps_only(void)
{
	step(1);
	step(2);
	return 0;
}

/* Records, says so, and stays until it gets the word. */
static int waiting(void)
{
	calls(300);
	wait_for_word("called");
	return 0;
}

/* The same in two steps, with the source that they come from. */
static int waiting_in_steps(void)
{
	step(1);
	calls(30);
	step(2);
	calls(30);
	wait_for_word("called");
	return 0;
}

/* Not a call, but the library is there. */
static int silent(void)
{
	wait_for_word("silent");
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} cases[] = {
	{ "few", few },
	{ "much", much },
	{ "windows", windows },
	{ "windows_at_once", windows_at_once },
	{ "stalled", while_stalled },
	{ "overflow", overflow },
	{ "few_in_steps", few_in_steps },
	{ "late_destructors", late_destructors },
	{ "nofile", no_descriptors },
	{ "nofile_later", no_descriptors_later },
	{ "nofile_zero", no_descriptors_at_all },
	{ "close_range", close_range_all },
	{ "close_stderr", close_everything },
	{ "daemon", into_background },
	{ "stderr_broken", broken_stderr },
	{ "files_cut", files_cut },
	{ "files_too_large", files_too_large },
	{ "memory", little_memory },
	{ "memory_later", little_memory_later },
	{ "no_data", no_data },
	{ "loaders", loaders },
	{ "threads", eight_threads },
	{ "crowd", crowd },
	{ "cleaned", cleaned },
	{ "jumped", jumped },
	{ "unfinished", unfinished },
	{ "killed", killed },
	{ "left", left },
	{ "child_leaves", child_leaves },
	{ "child_is_killed", child_is_killed },
	{ "dormant", dormant },
	{ "steps_only", steps_only },
	{ "waiting", waiting },
	{ "waiting_in_steps", waiting_in_steps },
	{ "silent", silent },
	{ "hang_finish", hang_in_finish },
	{ "hang_launch", hang_in_launch },
};

/* The filter that the first word asks for. */
static int filter(const char *word)
{
	static char buffer[4096];

	if (!strncmp(word, "deny:", 5))
		return filter_deny(word + 5);
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer)); /* otherwise it asks what it writes to */
	if (!strncmp(word, "kill:", 5))
		return filter_kill(word + 5);
	return strcmp(word, "kill_but") ? 0 : filter_kill_but();
}

/* store deny:NAMES|kill:NAMES|kill_but CASE sets the filter first, so that the loader is spared. */
int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[argc - 1] : "";
	int rc = 98;

	if (argc > 2 && filter(argv[1]))
		return 77;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (!strcmp(cases[i].name, name))
			rc = cases[i].run();
	printf("%s: %llu\n", name, (unsigned long long)sum);
	return rc;
}
