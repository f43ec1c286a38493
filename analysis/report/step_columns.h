/* step_columns.h - what the tables of steps and of stages say alike of a row: how long it was, and what filled it. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/report/step_rows.h"
#include "analysis/util/out.h"

/* Do any rows have communication? Only then there is a column for it. */
bool step_columns_communicate(const struct report *reports, size_t count);

#define STEP_COLUMNS_LOST ", lost calls" /* behind the last column of one */

/* The table's title and its heads; r: any of the table's; last: that of the column behind those here. */
void step_columns_head(struct out *o, const char *title, const struct report *r, bool communication, const char *last);

/* The row's columns but for that one. */
void step_columns_put(struct out *o, const struct report *r, const struct step_row *row, bool communication);

/* As an object that is left open. */
void step_columns_json(struct out *o, const struct step_row *row);
