/* columns.h - a line of a table of events. */
#pragma once
#include "analysis/trace/trace.h"
#include "analysis/util/out.h"

struct csv_row {
	const struct trace_event *event;
	uint64_t process;     /* its number in processes.csv */
	const char *operator; /* that the thread was in; NULL: none */
};

/* The names of the columns that events of this kind have, which the caller frees; and a line of them. */
char *csv_head(enum event_kind kind);
void csv_line(struct out *o, const struct csv_row *row);

/* A number for an event in its process. Its device time has the same. */
static inline uint64_t csv_id(uint32_t ring, uint64_t slot)
{
	return (uint64_t)ring << 32 | (uint32_t)slot;
}
