/* definitions.h - definitions (names, shapes, streams ...): written once, in tmpfs, into one of three logs. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/trace_file.h"

/* By what a file needs of them. */
enum definitions_log {
	LOG_LASTING, /* hooks, streams, libraries ...: few, and all of them */
	LOG_NAMED,   /* strings, launches, shapes ...: those that its events name */
	LOG_EPOCHS,  /* its own; when they are written, their memory serves again */
	LOGS
};

#define DEFINITIONS_SEGMENT	  (256u << 10) /* of LOG_NAMED */
#define DEFINITIONS_SEGMENT_SMALL (64u << 10)  /* of the others */
#define DEFINITIONS_SEGMENTS	  1024u	       /* of a log at most, at a time */
#define DEFINITION_LONGEST	  60000	       /* bytes of one; of a longer text its beginning */
#define DEFINITIONS_AT_FIRST	  (DEFINITIONS_SEGMENT + 2 * DEFINITIONS_SEGMENT_SMALL)

/*
 * Appends a definition made of two parts. Returns false if there is no room: then use id 0. Launches with sizes, shapes, and stacks
 * have a quarter of shm_size, so that room is left for names.
 */
bool definitions_add(enum definition_type type, uint64_t id, const void *a, size_t a_size,
		     const void *b, size_t b_size);

/* As above for text alone. */
bool definitions_text(enum definition_type type, uint64_t id, const char *text);

/* Makes the first segments of the logs that each window needs, so that whoever opens the first one need not; names may never come. */
void definitions_prepare(void);

/* A fresh id for strings and launches; never 0, never repeats in a process. */
uint64_t definitions_id(void);
bool definitions_has_id(uint64_t id); /* given out so far? */

/* A place in a log: everything before it has been read. */
struct definitions_place {
	unsigned int segment;
	uint64_t offset;
};

/* Bytes of whole definitions behind place, at most one segment's worth; moves place. 0: none left. */
size_t definitions_read(enum definitions_log log, struct definitions_place *place, const void **bytes);

/* The definition at `offset` in a segment that was read and not released. */
const struct definition *definitions_at(enum definitions_log log, unsigned int segment, uint64_t offset);

/* Where the next one will be. */
struct definitions_place definitions_newest(enum definitions_log log);

/* Segments before this place are not read any more: they serve again. */
void definitions_release(enum definitions_log log, struct definitions_place place);

/*
 * Copies definitions, and returns how many bytes that made. An epoch is defined when it begins, and again when it is over:
 * of two that stand together the later says all.
 */
size_t definitions_without_old_epochs(uint8_t *to, const uint8_t *from, size_t size);

void definitions_end(void);    /* unlinks their files */
void definitions_forget(void); /* in a forked child */
