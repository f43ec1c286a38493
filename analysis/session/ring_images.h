/* ring_images.h - rings and definitions of a session folder, read as if a stranger had written them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/event.h"
#include "agent/format/session_files.h"
#include "analysis/trace/defs.h"

struct ring_image {
	struct ring_header *header; /* a copy, on lines of its own as its type demands */
	struct event *slots;	    /* NULL: it is empty, or they were not in tmpfs and are gone */
};

/* A segment of definitions while all are being read. */
struct definitions_image {
	uint32_t index;
	size_t size;
	uint8_t *bytes;
};

struct ring_images {
	int dir;
	size_t ring_count, bad; /* bad: files that make no sense */
	struct ring_image *rings;
	size_t defs_size;
	uint8_t *defs;	   /* of all segments, in order */
	struct defs known; /* what they say */
	size_t segment_count;
	struct definitions_image *segments; /* not valid once all are read */
};

/* 0 or a negative errno. */
int ring_images_read(struct ring_images *image, const char *dir);
void ring_images_free(struct ring_images *image);

/* Did it hold something, which ended with its process? */
static inline bool ring_is_gone(const struct ring_image *r)
{
	return !r->slots && r->header->head != r->header->tail;
}

static inline const struct event *ring_slot(const struct ring_image *r, uint64_t position)
{
	return &r->slots[position & (r->header->slots - 1)];
}
