#include "analysis/report/dropped_note.h"

#include <inttypes.h>

#include "analysis/report/columns.h"
#include "analysis/report/dropped_steps.h"
#include "analysis/report/step_rows.h"

#define STEPS_SHOWN 10 /* of a rank */
#define RANKS_SHOWN 4

/* What a table lacks of one process. */
struct lack {
	size_t steps;
	int64_t first[STEPS_SHOWN];
	bool outside; /* of all steps */
	bool untold;  /* it may be any of them */
};

static struct lack lack_of(const struct report *r, bool all_steps)
{
	size_t count = all_steps ? r->steps_read : r->step_count;
	struct lack lack = { .untold = dropped_steps_untold(r), .outside = count == r->steps_read && dropped_steps_has(r, STEP_NULL) };

	for (size_t i = 0; i < count; i++) {
		int64_t step = r->steps[i].step;

		if (step == STEP_NULL || !dropped_steps_has(r, step))
			continue;
		if (lack.steps < STEPS_SHOWN)
			lack.first[lack.steps] = step;
		lack.steps++;
	}
	return lack;
}

static void put_lack(struct out *o, const struct lack *lack)
{
	if (lack->untold) {
		out_text(o, "in steps that are not told");
		return;
	}
	for (size_t i = 0; i < lack->steps && i < STEPS_SHOWN; i++)
		out_format(o, "%s%" PRId64, i ? ", " : lack->steps > 1 ? "in steps "
								       : "in step ",
			   lack->first[i]);
	if (lack->steps > STEPS_SHOWN)
		out_format(o, " and %zu more", lack->steps - STEPS_SHOWN);
	if (lack->outside)
		out_text(o, lack->steps ? " and outside of steps" : "outside of steps");
}

void dropped_note_line(struct out *o, const struct report *reports, size_t count, bool all_steps)
{
	char rank[COLUMN];
	size_t shown = 0;

	for (size_t i = 0; i < count; i++) {
		const struct lack lack = lack_of(&reports[i], all_steps);

		if ((!lack.steps && !lack.outside) || shown++ >= RANKS_SHOWN)
			continue;
		out_text(o, shown == 1 ? "incomplete: calls were lost " : "; ");
		put_lack(o, &lack);
		if (count > 1) {
			out_format(o, " of rank %s", column_rank(&reports[i], rank));
			column_of_process(o, &reports[i]);
		}
	}
	if (shown > RANKS_SHOWN)
		out_format(o, "; of %zu processes more", shown - RANKS_SHOWN);
	if (shown)
		out_char(o, '\n');
}
