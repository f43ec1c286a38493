/* traced_file.h - the trace that the agent is writing of this process, by way of the table of the thread that writes it. */
#pragma once
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes in it, if one of the files of this table is it; -1: none is. */
static inline off_t traced_size_in(const char *table)
{
	DIR *d = opendir(table);
	off_t size = -1;
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[512], name[4096];
		struct stat st;
		ssize_t n;

		snprintf(path, sizeof(path), "%s/%s", table, e->d_name);
		n = readlink(path, name, sizeof(name));
		if (n > 5 && !strncmp(name + n - 5, ".part", 5) && !stat(path, &st))
			size = st.st_size;
	}
	if (d)
		closedir(d);
	return size;
}

/* Bytes in it; -1: there is none. */
static inline off_t traced_size(void)
{
	DIR *tasks = opendir("/proc/self/task");
	off_t size = -1;
	struct dirent *e;

	while (tasks && size < 0 && (e = readdir(tasks))) {
		char table[300];

		snprintf(table, sizeof(table), "/proc/self/task/%s/fd", e->d_name);
		size = traced_size_in(table);
	}
	if (tasks)
		closedir(tasks);
	return size;
}
