#include "analysis/report/stage_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

static struct stage_row row_of(const struct stage *stage, const struct step_row *row)
{
	return (struct stage_row){ *row, alloc_text(stage->role, strlen(stage->role)), stage->def.occurrence };
}

struct stage_row *stage_rows_make(struct step_rows *s, const struct choice *asked, size_t *count)
{
	size_t all, n = 0;
	struct step_row *rows = step_rows_finish(s, &all);
	struct stage_row *made = alloc_zero(all, sizeof(*made));

	for (size_t i = 0; i < all; i++) {
		const struct stage *stage = table_find(&s->process->defs.stages, rows[i].stage);

		if (stage && choice_has_step(asked, rows[i].step) && choice_has_stage(asked, stage))
			made[n++] = row_of(stage, &rows[i]);
	}
	free(rows);
	*count = n;
	return made;
}

void stage_rows_free(struct stage_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(rows[i].role);
	free(rows);
}
