/* table.h - the rows as data: for the dlsym door, the definitions in a trace and `ranktrace hooks`. */
#pragma once
#include "agent/format/event.h"
#include "agent/format/trace_file.h"

struct hook_row {
	const char *name;    /* entry point */
	const char *library; /* soname it lives in */
	const char *family;  /* how sonames of the vendor's libraries begin, separated by blanks */
	uint8_t kind;	     /* enum event_kind, or NO_EVENT (kinds.h) */
	uint8_t flags;	     /* DEF_HOOK_ */
};
extern const struct hook_row hook_rows[];
extern const unsigned int hook_row_count;
