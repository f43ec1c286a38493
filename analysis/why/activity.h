/* activity.h - what one process did, in time: its calls on the host, and its work on the device. */
#pragma once
#include <stdbool.h>

#include "analysis/trace/trace.h"
#include "analysis/why/segments.h"
#include "analysis/why/subjects.h"

/* Calls that do something come before those that only wait for others: what a thread waits for, another one does. */
enum call_layer { CALLS_SPECIAL, /* told by their own kinds, wherever they are made: allocations, copies, what is loaded */
		  CALLS_OTHER,
		  CALLS_WAITING,
		  CALL_LAYERS };

struct call {
	uint64_t begin, end; /* ns since the Unix epoch */
	uint64_t at;	     /* ring and position of its event */
	uint64_t bytes;
	uint64_t meeting; /* of a collective: the same on all of its ranks; 0: it is none, or that is not known */
	uint32_t subject, tid;
	uint32_t work; /* of a copy or a collective: the subject of its work. A launch inside of a collective has that one's, too */
	bool has_work, communicates;
	bool first; /* its kernel was not there before in the trace */
	enum call_layer layer;
};

/* What fills the device at a moment: an operator before its launches, these before copies, these before communication. */
enum work_layer { WORKS_OPERATORS,
		  WORKS_LAUNCHES,
		  WORKS_COPIES,
		  WORKS_COLLECTIVES,
		  WORK_LAYERS };

struct device_work {
	uint64_t begin, end;
	uint64_t at, issued_end; /* of its call; issued_end 0: its call is not there */
	uint64_t bytes;
	uint64_t meeting; /* its collective's */
	uint32_t subject;
	uint32_t tid; /* that made its call; 0: it is not there */
	bool first;   /* its call is the first of its kernel */
	enum work_layer layer;
};

/* A range that the program marked, or a stage that it told of. */
struct named_time {
	uint64_t begin, end;
	uint32_t name; /* a subject without a share */
};

struct activity {
	size_t call_count, call_capacity, work_count, work_capacity, range_count, range_capacity;
	struct named_time *ranges; /* by begin, those around others first */
	struct call *calls;	   /* by begin */
	struct device_work *works; /* by begin */
	struct segments host, device;
};

/* Of a process that is loaded. */
void activity_read(struct activity *a, struct process *p, struct subjects *subjects);

/* The first that begins at this moment, or behind it. */
size_t activity_call_from(const struct activity *a, uint64_t ns);
size_t activity_work_from(const struct activity *a, uint64_t ns);

/* The innermost range around this time; NULL: there is none. */
const struct named_time *activity_around(const struct activity *a, uint64_t begin, uint64_t end);
void activity_free(struct activity *a);
