/* memory_out.h - an out whose text stays in memory, to be read when all is written. */
#pragma once
#include "analysis/util/out.h"

struct memory_out {
	struct out out;
	char *text; /* NULL: not read yet, or nothing was written */
	size_t size;
};

/* NULL: there is no room for it, which was said on stderr. */
struct memory_out *memory_out_open(void);

/* What was written so far, as text and size. False: not all could be, which was said on stderr. */
bool memory_out_read(struct memory_out *m);
void memory_out_close(struct memory_out *m);
