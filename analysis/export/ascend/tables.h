/* tables.h - lines of the tables of ascend-text, by the list in columns.def. */
#pragma once
#include "analysis/export/ascend/ascend.h"
#include "analysis/export/ascend/sums.h"
#include "analysis/util/out.h"

enum ascend_table { TABLE_kernel_details,
		    TABLE_op_statistic,
		    TABLE_api_statistic,
		    TABLE_step_trace_time,
		    TABLE_operator_memory,
		    TABLE_memory_record,
		    TABLES };
extern const char *const ascend_tables[TABLES];

/* What a line is made of: as much of it as its table's columns want. */
struct ascend_row {
	const struct ascend_task *task;
	const struct ascend_step *step;
	const struct ascend_memory *memory;
	const struct sum *sum;
	uint64_t wait, all; /* ns */
};

void tables_head(struct out *o, enum ascend_table table, int level);
void tables_line(struct out *o, const struct ascend *a, enum ascend_table table, const struct ascend_row *row);
