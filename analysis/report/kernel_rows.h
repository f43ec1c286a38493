/* kernel_rows.h - kernels and operators by name: how often, how long. */
#pragma once
#include "analysis/report/periodic_kernels.h"
#include "analysis/report/report.h"
#include "analysis/util/durations.h"
#include "analysis/util/parcel.h"

struct kernel_row {
	char *name;
	enum event_kind kind;
	uint64_t count, timed, host_ns, device_ns;
	struct durations times; /* of kernels: on the device, where there are such, else inside the call; of the longest rows only */
	struct period period;	/* of launches with a name */
};

/* Rows of one process while its events come in. */
struct kernel_rows {
	struct table rows;	      /* struct kernel_row by name of launch and kind */
	const struct table *launched; /* struct launch: what launches are of, */
	uint32_t *places;	      /* and the number of the row of each, + 1, when it was last one of this kind; 0: not known */
	struct table launches;	      /* uint64_t by thread */
	uint64_t *launches_now;	      /* of the thread of the last launch; NULL: there was none */
	uint32_t thread_now;
	bool steps_told; /* nobody asks how kernels repeat: their periods are not counted */
};

void kernel_rows_begin(struct kernel_rows *k, const struct process *p);

/* A launch or an operator that was not nested and did not fail. */
void kernel_rows_take(struct kernel_rows *k, const struct trace_event *ev);

/* A device time of one. */
void kernel_rows_time(struct kernel_rows *k, const struct trace_device *dev);

/* The longest first; the caller frees the rows and their names. */
struct kernel_row *kernel_rows_hand_over(struct kernel_rows *k, size_t *count);

/*
 * Adds lists of rows of several processes to one, a row a name, the longest first. Names still belong to the lists, the
 * rows to the caller, for kernel_rows_drop().
 */
struct kernel_list {
	size_t count;
	struct kernel_row *rows;
};
struct kernel_row *kernel_rows_join(struct kernel_list (*list_of)(const struct report *r), const struct report *reports, size_t count,
				    size_t *joined);
void kernel_rows_drop(struct kernel_row *rows, size_t count);

/* Do only some calls of one of them have a device time? */
bool kernel_rows_partly(const struct kernel_row *rows, size_t count);

/* Are all of its times there? They may be of a row that was not among the longest. */
static inline bool kernel_row_has_times(const struct kernel_row *row)
{
	return durations_count(&row->times) == (row->timed ? row->timed : row->count);
}

/* A call of the row, and a device time of one. */
void kernel_row_take(struct kernel_row *row, const struct trace_event *ev);
void kernel_row_time(struct kernel_row *row, const struct trace_device *dev);

/* How often and how long: the first columns of a line of text (COLUMNS_OF_KERNELS is their head), the last members of an object. */
#define COLUMNS_OF_KERNELS "%10s %s%13s %13s  "
void kernel_row_columns(struct out *o, const struct kernel_row *row, bool partly);
void kernel_row_members(struct out *o, const struct kernel_row *row);

void kernel_list_parcel(struct parcel *p, struct kernel_list *list);

/* For qsort(): by device time, those that have none behind, by the time inside the call. */
int kernel_rows_order(const void *a, const void *b);
