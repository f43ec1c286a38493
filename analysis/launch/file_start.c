#include "analysis/launch/file_start.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

size_t file_start(const char *path, char *text, size_t size)
{
	struct stat st;
	size_t used = 0;
	ssize_t n;
	int fd;

	text[0] = '\0';
	if (stat(path, &st) || !S_ISREG(st.st_mode)) /* before it is opened: a pipe's writer would take us for its reader */
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		while (used < size - 1 && (n = read(fd, text + used, size - 1 - used)) > 0)
			used += (size_t)n;
	if (fd >= 0)
		close(fd);
	text[used] = '\0';
	return used;
}
