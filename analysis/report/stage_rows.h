/* stage_rows.h - the stages of a report: what a process did in each of its roles, at one go. */
#pragma once
#include "analysis/report/step_rows.h"
#include "config/selection.h"

struct stage_row {
	struct step_row row;
	char *role;
	uint32_t occurrence;
};

/* Those of the asked steps, by begin; what lies outside of stages is none. stage_rows_free() frees them. */
struct stage_row *stage_rows_make(struct step_rows *s, const struct choice *asked, size_t *count);
void stage_rows_free(struct stage_row *rows, size_t count);
