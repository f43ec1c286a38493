/* files.h - the files that a destination is made of, for destination.c and pieces.c: made, found and closed. */
#pragma once
#include "analysis/export/destination.h"

struct file {
	struct out *out;    /* NULL: nothing more comes into it */
	char *name, *part;  /* what it will be called, and is; part NULL: it is written to as it is */
	char *asked, *head; /* the name that it was asked for by, and how a table begins; NULL: neither */
	bool begins;	    /* it has its head */
	uint64_t limit;	    /* bytes that its readers take; 0: any */
};

struct destination {
	const char *path;
	bool is_folder, is_pieces, failed;
	const struct destination *whole; /* of pieces: what there is before them; NULL: they may be of any place in it */
	enum packing packing;
	uint64_t limit;
	size_t count;
	struct file **files;
};

/* On stderr, unless something was said before: then, too, all has failed. */
void files_complain(struct destination *d, const char *name, int error);
void files_complain_of_size(struct destination *d, const char *name, uint64_t limit);

/* A terminal, a pipe or /dev/null is written to as it is. */
bool files_is_special(const char *path);

/* As destination_file() and destination_table(). NULL: it cannot be made, which was said on stderr. */
struct file *files_add(struct destination *d, const char *name, enum packing packing);
struct file *files_add_table(struct destination *d, const char *name, const char *head);

/* One that is there goes into the list. */
struct file *files_keep(struct destination *d, struct file *f);
struct out *files_new_out(const struct destination *d, int fd, enum packing packing);

/* By the name that it was asked for by. NULL: there is none to which more may come. */
struct file *files_find_open(const struct destination *d, const char *asked);

void files_close(struct destination *d, struct file *f);
void files_free(struct file *f);
