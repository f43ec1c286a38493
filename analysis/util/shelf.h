/*
 * shelf.h - bytes that are put aside, most of them for good: some are kept in memory, and what is more in a file that has no name and is gone
 * with us. It lies in TMPDIR, or else in /var/tmp, which is no memory either. Where none can be written all are kept in memory.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHELF_MEMORY (48u << 20) /* bytes */

struct shelf {
	size_t most, used; /* of memory */
	int fd;
	bool opened, failed; /* the file */
	uint64_t end;	     /* of what is in it */
};

#define SHELF ((struct shelf){ .most = SHELF_MEMORY })

/* What was put there in one piece. */
struct shelved {
	uint8_t *bytes; /* NULL: they are in the file, */
	uint64_t at;	/* there */
	size_t size;
};

struct shelved shelf_put(struct shelf *s, const void *bytes, size_t size);

/* A part of it, and new bytes in place of a part. */
void shelf_read(const struct shelf *s, const struct shelved *of, size_t from, void *to, size_t size);
void shelf_write(const struct shelf *s, const struct shelved *of, size_t from, const void *bytes, size_t size);

/* Takes it down. */
void shelf_drop(struct shelf *s, struct shelved *of);
void shelf_free(struct shelf *s);
