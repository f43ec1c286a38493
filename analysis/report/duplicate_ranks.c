/* duplicate_ranks.c - section: the line that says which ranks several processes took themselves for. */
#include <string.h>

#include "analysis/report/grouped_lines.h"
#include "analysis/report/section.h"

static bool same_fact(const struct report *a, const struct report *b, const char *key)
{
	return !strcmp(report_fact(a, key), report_fact(b, key));
}

/* Of one run, and no exec of the other. */
static bool are_duplicates(const struct report *a, const struct report *b)
{
	return same_fact(a, b, "job") && same_fact(a, b, "launch") && (a->pid != b->pid || !same_fact(a, b, "host"));
}

/* Does one of those from `first` on, all of its rank, duplicate it? */
static bool has_duplicate(const struct report *r, const struct report *first)
{
	for (; first < r; first++)
		if (are_duplicates(first, r))
			return true;
	return false;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	static const char line[] = "several processes recorded as this rank: set a RANK for each, "
				   "unless the processes belong together\n";
	struct grouped_lines all = { 0 };

	(void)top;
	for (size_t first = 0, i = 0; i < count && reports[i].has_rank; i++) {
		if (!report_is_same_rank(&reports[i], &reports[first]))
			first = i;
		if (has_duplicate(&reports[i], &reports[first]))
			grouped_lines_add(&all, &reports[i], line, strlen(line));
	}
	grouped_lines_print(&all, o);
}

const struct section duplicate_ranks_section = { .text = text };
