/* shared_memory.h - memory that survives us if tmpfs has room, else memfd, else private. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/session_files.h"

/* What this process may take, and how much of that in tmpfs. */
void shared_memory_start(uint64_t most, uint64_t most_in_tmpfs);
uint64_t shared_memory_most(void);

/* NULL beyond that. */
void *shared_memory_make(const char *name, unsigned int number, size_t size);

/* *from: what it is made of. *head_stays: does at least its first page survive us? */
void *shared_memory_make_headed(const char *name, unsigned int number, size_t size, enum backing *from, bool *head_stays);

/* Gives the pages behind such a head back to the system, or takes new ones for it. False: that cannot be had. */
bool shared_memory_return(void *memory, size_t size, enum backing from);
bool shared_memory_refill(void *memory, size_t size, enum backing from);

/* May another `size` bytes be taken for what is only convenient? */
bool shared_memory_may_grow(size_t size);

/* Looks at what the process's memory cgroup has left: what is convenient takes a sixteenth of that at most. */
void shared_memory_look(void);

/* In tmpfs or nowhere, and beside what may be taken. */
void *shared_memory_in_tmpfs(const char *name, unsigned int number, size_t size);

/* Deletes a segment's name; the mapping stays. */
void shared_memory_unlink(const char *name, unsigned int number);

/* tmpfs, memfd or anonymous: what the worst of them lives in. */
const char *shared_memory_backing(void);

/* Does what they hold survive us? */
bool shared_memory_safe(void);

void shared_memory_forget(void); /* in a forked child; their mappings are left alone */

/* May a file of this size be had? Beyond a limit on it the program would end by SIGXFSZ, inside its own call. */
bool shared_memory_files_may_have(uint64_t size);
