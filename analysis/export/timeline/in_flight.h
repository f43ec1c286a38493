/* in_flight.h - how many calls the device has been given and not finished, as a counter in a time line. */
#pragma once
#include "analysis/export/timeline/line_writer.h"
#include "analysis/util/sorter.h"

struct in_flight {
	struct line_writer *writer;
	struct sorter sorter; /* struct change by time */
	struct counter counter;
	int64_t count;
};

void in_flight_init(struct in_flight *f, struct line_writer *writer);
void in_flight_begin(struct in_flight *f, uint32_t pid);

/* A call that began, and what the device did for it, ended. */
void in_flight_take(struct in_flight *f, uint64_t begin_ns, uint64_t end_ns);
void in_flight_end(struct in_flight *f);
void in_flight_free(struct in_flight *f);
