/*
 * destination.h - where an export goes: standard output, a file, or a folder of files. A file has another name until all is whole, and what
 * was there before stays if nothing comes of it; for the owner only, as the traces are.
 */
#pragma once
#include <stdbool.h>

#include "analysis/util/out.h"

struct destination;

/* path NULL: standard output. A folder is made if it is not there. NULL: it cannot be, which was said on stderr. */
struct destination *destination_open(const char *path, bool is_folder);

/* Another file of a folder, or (name NULL) the only one there is; folders in its name are made. NULL: it cannot be made, which was said on stderr. */
struct out *destination_file(struct destination *d, const char *name);

/* Nothing more comes into this one: its descriptor and buffer are let go. Its name it gets with the others. */
void destination_file_done(struct destination *d, struct out *out);

/* Another file of a folder, made and empty, that somebody else writes: where it is. NULL as above. */
const char *destination_path(struct destination *d, const char *name);

/* Something cannot be written, which was said on stderr. */
void destination_fail(struct destination *d);

/* Could all be written so far? */
bool destination_is_well(const struct destination *d);

/* Gives the files their names, or takes them away again (keep false). False: not all was written, which was said on stderr. */
bool destination_close(struct destination *d, bool keep);
