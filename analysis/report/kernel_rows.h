/* kernel_rows.h - the kernels and operators of several processes, summed up. */
#pragma once
#include "analysis/report/report.h"

/*
 * One row a name, the longest first; names still belong to the reports, the rows to the caller. shaped: operators with their
 * shapes.
 */
struct kernel_row *kernel_rows_join(const struct report *reports, size_t count, bool shaped, size_t *joined);

/* For qsort(): by device time, those that have none behind, by the time inside the call. */
int kernel_rows_order(const void *a, const void *b);
