/* writer.h - one trace file: chunks appended by the flush thread, renamed at the clean end. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/trace_file.h"

/* What takes long and need not wait for the first file. */
void writer_prepare(void);

/* Opens path + ".part", below session->save_path. 0 or a negative errno. */
int writer_open(const char *path);

bool writer_is_open(void);

/* Appends one chunk; header's magic, versions, ids, sequence, clock and CRCs are filled in here. 0 or -errno. */
int writer_chunk(struct chunk_header *h, const void *payload, size_t size);

/* Removes the last chunk, if it holds events, to make room for a payload on a full disk; returns how many events that were. */
uint32_t writer_take_back(size_t room);

/* Gives the file its final name. */
void writer_close(void);

/* Leaves the .part as it is (disk full): readers take what is there. */
void writer_abandon(void);

/* Gives the descriptor back; the next chunk opens the file again. For whoever leaves its table. */
void writer_let_go(void);

void writer_forget(void); /* in a forked child: the parent's file is not ours */

/* <save_path>/<job>/ranks-A-B/rank<r>/<window>.<host>-<pid>-<random>.rtrace, harmless characters only. */
void writer_path(char *path, size_t size, const char *window);
