/* db_fixed.h - tables that are the same in every database, and those of the second one. */
#pragma once

extern const char db_fixed_tables[], db_analysis_tables[];

/* When all rows are there: readers leave out ranges of the invalid number, and fail on others that have no TASK. */
extern const char db_ranges_without_tasks[];
