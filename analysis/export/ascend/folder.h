/* folder.h - the folder of a window: <host>_<pid>_<time>_ascend_pt, and the files in it. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct ascend;
struct out;

#define FOLDER_FILES 16 /* that are open at once */

struct ascend_folder {
	char name[256];
	uint64_t stamp; /* ms since the Unix epoch: the time in its name */
	struct out *files[FOLDER_FILES];
	size_t count;
};

/* Of the next window of a process, or its first: two of them never have the same time, whether they are exported or not. */
void folder_next(struct ascend *a);

/* Its name is known from now on. */
void folder_open(struct ascend *a);

/* A file in it, or in a folder in it. */
struct out *folder_file(struct ascend *a, const char *name);

/* There may be many folders: none keeps descriptors and buffers for longer than it takes. */
void folder_close(struct ascend *a);
