/* communication.h - collectives, step by step: names that are the same on all ranks, communication.json and communication_matrix.json. */
#pragma once
#include "analysis/export/ascend/ascend.h"
#include "analysis/util/out.h"

#define COLLECTIVE_NAME 96

/* Counts the collectives of each kind and group. */
struct collective_names {
	struct table counts; /* uint64_t by kind and group */
};

#define COLLECTIVE_NAMES ((struct collective_names){ .counts = TABLE(uint64_t) })

/* hcom_allReduce__405_0_1: the third of this kind in its group has a 2 in place of the 0. */
void collective_name(struct collective_names *n, const struct trace_device *dev, char name[COLLECTIVE_NAME]);

struct communication_files {
	struct ascend *ascend;
	struct out *times, *matrix;
	size_t count, capacity, steps; /* steps: written so far */
	struct one_collective *list;   /* of this step ... */
	const struct ascend_step *step;
	size_t outside_count, outside_capacity;
	struct one_collective *outside; /* ... and of none */
};

void communication_begin(struct communication_files *c, struct ascend *a);
void communication_take(struct communication_files *c, const struct ascend_task *task, const char *name);
void communication_end(struct communication_files *c);
