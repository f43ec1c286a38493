/* arena.h - definitions (names, shapes, streams ...): written once, in tmpfs, never dropped. */
#pragma once
#include "agent/format/trace_file.h"
#include "agent/base/own.h"

#define ARENA_SEGMENT  (256u << 10)
#define ARENA_SEGMENTS 256u

/* Appends a definition made of two parts. Returns false if there is no room: then use id 0. */
bool arena_define(enum definition_type type, uint64_t id, const void *a, size_t a_size,
		  const void *b, size_t b_size);

/* As above for text alone. */
bool arena_text(enum definition_type type, uint64_t id, const char *text);

/* A fresh id for strings and launches; never 0, never repeats in a process. */
uint64_t arena_id(void);

/* A place in the arena: everything before it has been read. */
struct arena_place {
	unsigned int segment;
	uint64_t offset;
};

/* Bytes of whole definitions behind place, at most one segment's worth; moves place. 0: none left. */
size_t arena_read(struct arena_place *place, const void **bytes);

void arena_end(void);	 /* deletes the segments' names */
void arena_forget(void); /* in a forked child */
