/*
 * destination.h - where an export goes: standard output, a file, or a folder of files. A file has another name until all is whole, and what
 * was there before stays if nothing comes of it; for the owner only, as the traces are.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "analysis/util/out.h"
#include "analysis/util/packer.h"

struct destination;

/* path NULL: standard output. A folder is made if it is not there. NULL: it cannot be, which was said on stderr. */
struct destination *destination_open(const char *path, bool is_folder);

/* Of every file from now on: how it is packed, and how many bytes its readers take (0: any). */
void destination_packing(struct destination *d, enum packing packing);
void destination_limit(struct destination *d, uint64_t bytes);

/*
 * Another file of a folder, or (name NULL) the only one there is; folders in its name are made, and the suffix of its packing is put behind
 * it. If it cannot be made that is said on stderr, and what is written to it goes nowhere.
 */
struct out *destination_file(struct destination *d, const char *name);

/* A file of a folder that begins with a head, and to which several processes add. */
struct out *destination_table(struct destination *d, const char *name, const char *head);

/* Nothing more comes into this one: its descriptor and buffer are let go. Its name it gets with the others. */
void destination_file_done(struct destination *d, struct out *out);

/* Another file of a folder, made and empty, that somebody else writes: where it is. NULL: it cannot be made, which was said on stderr. */
const char *destination_path(struct destination *d, const char *name);

/* Whoever writes there met an errno, or (0) has written all the bytes that its readers take, which is said on stderr. */
void destination_path_failed(struct destination *d, const char *path, int error);

/* Something cannot be written, which was said on stderr. */
void destination_fail(struct destination *d);

/* Could all be written so far? */
bool destination_is_well(const struct destination *d);

/* Is it something that can be put together of pieces? */
bool destination_takes_pieces(const struct destination *d);

/* What comes now is of another process of the trace. */
void destination_end_piece(struct destination *d);

/*
 * In a child process: it begins as empty as when it was opened, and what is written are pieces, which destination_send() tells the parent of.
 * They stay when the child ends. The parent puts those of one child behind what there is with destination_take(). False: it could not.
 */
void destination_be_pieces(struct destination *d, bool next); /* next: they come right behind what there is now */
bool destination_send(struct destination *d, FILE *to);
struct pieces;
struct pieces *destination_receive(FILE *from);
bool destination_take(struct destination *d, struct pieces *pieces); /* frees them */
void destination_drop(struct pieces *pieces);

/* Gives the files their names, or takes them away again (keep false). False: not all was written, which was said on stderr. */
bool destination_close(struct destination *d, bool keep);
