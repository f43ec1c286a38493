#include "agent/base/process.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Counted behind the last ')': a program's name may hold anything. */
static uint64_t field_22(char *text)
{
	char *at = strrchr(text, ')');

	if (!at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X')
		return 0;
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static uint64_t start_in(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[1024];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	return field_22(text);
}

uint64_t process_start_time(uint32_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	return start_in(path);
}

uint64_t process_own_start_time(void)
{
	return start_in("/proc/self/stat");
}
