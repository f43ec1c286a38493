#include "agent/base/process.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PARENT	   4
#define START_TIME 22
#define EXIT_CODE  52

/* Counted behind the last ')': a program's name may hold anything. What has ended has an exit code, and nothing else that is asked for. */
static uint64_t field_of(char *text, int number)
{
	char *at = strrchr(text, ')');

	if (!at || at[1] != ' ' || ((at[2] == 'Z' || at[2] == 'X') != (number == EXIT_CODE)))
		return 0;
	for (int field = 2; at && field < number; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static uint64_t field_in(const char *path, int number)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[1024];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	return field_of(text, number);
}

static uint64_t field_of_process(uint32_t pid, int number)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	return field_in(path, number);
}

uint64_t process_start_time(uint32_t pid)
{
	return field_of_process(pid, START_TIME);
}

uint32_t process_parent(uint32_t pid)
{
	return (uint32_t)field_of_process(pid, PARENT);
}

/* The first thread's is the process's; /proc/self/stat may be of an emulator's making, and others read what the kernel says. */
static uint64_t field_of_first_thread(int number)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	return field_in(path, number);
}

uint64_t process_own_start_time(void)
{
	uint64_t start = field_of_first_thread(START_TIME);

	return start ? start : field_in("/proc/self/stat", START_TIME);
}

int process_first_threads_end(void)
{
	return (int)field_of_first_thread(EXIT_CODE);
}
