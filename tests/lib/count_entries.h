/* count_entries.h - how many entries a folder has, `.` and `..` among them; 0: it cannot be opened. */
#pragma once
#include <dirent.h>

static inline int folder_entries(const char *folder)
{
	DIR *d = opendir(folder);
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}
