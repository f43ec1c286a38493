/* table.h - the rows as data: for the dlsym door, the definitions in a trace and `ranktrace hooks`. */
#pragma once
#include "agent/format/event.h"

struct hook_row {
	const char *name;    /* entry point */
	const char *library; /* soname it lives in */
	const char *family;  /* how sonames of the vendor's libraries begin, separated by blanks */
	enum event_kind kind;
};
extern const struct hook_row hook_rows[];
extern const unsigned int hook_row_count;
