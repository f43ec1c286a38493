/* definitions.h - definitions (names, shapes, streams ...): written once, in tmpfs, never dropped. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/trace_file.h"

#define DEFINITIONS_SEGMENT  (256u << 10)
#define DEFINITIONS_SEGMENTS 1024u /* beyond shm_size; recovery reads as many */

/* Appends a definition made of two parts. Returns false if there is no room: then use id 0. */
bool definitions_add(enum definition_type type, uint64_t id, const void *a, size_t a_size,
		     const void *b, size_t b_size);

/* As above for text alone. */
bool definitions_text(enum definition_type type, uint64_t id, const char *text);

/* A fresh id for strings and launches; never 0, never repeats in a process. */
uint64_t definitions_id(void);

/* A place in the definitions: everything before it has been read. */
struct definitions_place {
	unsigned int segment;
	uint64_t offset;
};

/* Bytes of whole definitions behind place, at most one segment's worth; moves place. 0: none left. */
size_t definitions_read(struct definitions_place *place, const void **bytes);

/*
 * Copies definitions, and returns how many bytes that made. An epoch is defined when it begins, and again when it is over:
 * of two that stand together the later says all.
 */
size_t definitions_without_old_epochs(uint8_t *to, const uint8_t *from, size_t size);

void definitions_end(void);    /* unlinks their files */
void definitions_forget(void); /* in a forked child */
