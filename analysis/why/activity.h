/* activity.h - what one process did, in time: its calls on the host, and its work on the device. */
#pragma once
#include "analysis/trace/trace.h"
#include "analysis/why/items.h"
#include "analysis/why/subjects.h"

/* Calls that do something come before those that only wait for others: what a thread waits for, another one does. */
enum call_layer { CALLS_SPECIAL, /* told by their own kinds, wherever they are made: allocations, what is loaded */
		  CALLS_OTHER,
		  CALLS_WAITING,
		  CALL_LAYERS };

/* What fills the device at a moment: an operator before its launches, these before copies, these before communication. */
enum work_layer { WORKS_OPERATORS,
		  WORKS_LAUNCHES,
		  WORKS_COPIES,
		  WORKS_COLLECTIVES,
		  WORK_LAYERS };

struct activity {
	struct items calls, works, marked; /* in order; marked: ranges and stages */
	struct segments host, device;	   /* of calls, and of works */
};

/* Of a process that is loaded. The room of one that was read before is used again; of the first all is zero. */
void activity_read(struct activity *a, struct process *p, struct subjects *subjects);
void activity_free(struct activity *a);
