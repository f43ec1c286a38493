/*
 * parents.h - what only the call tells of work of the device, kept until its time comes: the operator or collective that
 * launched a kernel, the bytes of a copy, the marker of a range. In memory of a fixed size: the oldest are forgotten.
 */
#pragma once
#include "analysis/trace/trace.h"

struct parent {
	uint64_t id;	 /* of the call; 0: none */
	uint64_t around; /* that of the operator or collective around a launch; 0: it is no launch */
	union {
		struct {
			uint64_t begin;		/* ns */
			const void *definition; /* its struct launch or collective; of a range its marker, or NULL */
		};
		struct {
			uint64_t bytes;
			enum copy_direction direction;
		};
	};
	uint32_t tid;
	bool collective; /* it is around it */
};

struct parents {
	struct parent *now, *before; /* by hash: when the one is full the other is forgotten */
	size_t count;
	struct table recent; /* struct recent_launches by ring */
};

void parents_init(struct parents *p);

/* A call that works, in the order of the files: of a thread what lies inside another call comes before it. */
void parents_take(struct parents *p, const struct trace_event *ev);

/* NULL: nothing is known of it. Good until the next call is taken. */
const struct parent *parents_find(const struct parents *p, uint64_t id);
void parents_clear(struct parents *p);
