/* columns.h - values as the report's tables show them, in a buffer of the caller's. */
#pragma once
#include "analysis/report/report.h"

#define COLUMN 24 /* bytes */

const char *column_rank(const struct report *r, char *text);

/* Behind RANK, in a run with several groups of workers: whose, and a blank. Nothing in others; r: any of the table's. */
void column_group_head(struct out *o, const struct report *r);
void column_group(struct out *o, const struct report *r);

/* That, and of ranks with several processes which: its PID. */
void column_process_head(struct out *o, const struct report *r);
void column_process(struct out *o, const struct report *r);
void column_of_process(struct out *o, const struct report *r); /* in a line: " of GROUP (PID 12)" */

const char *column_duration(uint64_t ns, char *text);
const char *column_bytes(uint64_t n, char *text);

/* In a table where not all calls of a row have a device time: how many have, and a blank. "" in others. */
#define COLUMN_TIMED "     TIMED "
const char *column_timed(bool shown, uint64_t timed, char *text);

/* A kernel's, the last of its line: of C++ as its source has it. */
void column_name(struct out *o, const char *name);
