/* launch_rows.h - what a section keeps that has a row for each launch of its kind: graphs, operators with shapes. */
#pragma once
#include "analysis/report/kernel_rows.h"

struct launch_rows {
	struct table rows;	 /* struct kernel_row by launch */
	struct kernel_list list; /* the same when all are in, the longest first */
};

/* The section's own, where what it keeps begins with these rows. */
void launch_rows_begin(void *kept, struct process *p, const struct selection *asked);
void launch_rows_end(void *kept);
void launch_rows_free(void *kept);
void launch_rows_parcel(struct parcel *p, void *kept);

/* name_of: for free(), asked of a launch that comes for the first time */
struct kernel_row *launch_rows_of(struct launch_rows *r, const struct launch *launch, enum event_kind kind, char *(*name_of)(const struct launch *launch));
