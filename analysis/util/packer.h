/* packer.h - compressed output, in pieces that can be put one behind the other: a gzip member or a frame of zstd each. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum packing { PACKING_NONE,
	       PACKING_GZ,
	       PACKING_ZST };

/* By the name's end, or (packing_word) by itself, as "gz". */
enum packing packing_of_name(const char *name);
enum packing packing_of_word(const char *word);
const char *packing_suffix(enum packing packing); /* ".gz"; of none "" */

/* Was this program built with the library for it? If not, what it lacks is said on stderr. */
bool packing_is_there(enum packing packing);

struct packer;

struct packer *packer_new(enum packing packing);
void packer_free(struct packer *p);

/* Gives what comes out to put(), which returns 0, or the errno of what went wrong; so do they. last: this piece is over. */
int packer_put(struct packer *p, const char *data, size_t size, bool last, int (*put)(void *context, const char *data, size_t size), void *context);
