/* segments.h - memory that survives us if tmpfs has room, else memfd, else private. */
#pragma once
#include "agent/base/own.h"

/* What this process may take, and how much of that in tmpfs. */
void segments_start(uint64_t most, uint64_t most_in_tmpfs);
uint64_t segments_most(void);

/* NULL beyond that. */
void *segment_make(const char *name, unsigned int number, size_t size);

/* In tmpfs or nowhere, and beside what may be taken. */
void *segment_in_tmpfs(const char *name, unsigned int number, size_t size);

/* Deletes a segment's name; the mapping stays. */
void segment_unlink(const char *name, unsigned int number);

/* tmpfs, memfd or anonymous: what the worst of them lives in. */
const char *segments_backing(void);

/* Does what they hold survive us? */
bool segments_safe(void);

void segments_forget(void); /* in a forked child; their mappings are left alone */

/* May a file of this size be had? Beyond a limit on it the program would end by SIGXFSZ, inside its own call. */
bool segments_files_may_have(uint64_t size);
