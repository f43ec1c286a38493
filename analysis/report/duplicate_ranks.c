/* duplicate_ranks.c - the line that says which ranks several processes took themselves for. */
#include <string.h>

#include "analysis/report/grouped_lines.h"

static const char *fact(const struct report *r, const char *key)
{
	const char *value = key_values_get(&r->facts, key);

	return value ? value : "";
}

/* Of one run, and no exec of the other. */
static bool are_duplicates(const struct report *a, const struct report *b)
{
	return !strcmp(fact(a, "job"), fact(b, "job")) && !strcmp(fact(a, "launch"), fact(b, "launch")) &&
	       (a->pid != b->pid || strcmp(fact(a, "host"), fact(b, "host")));
}

/* Is a process from `group` on, all of its rank, its twin? */
static bool has_duplicate(const struct report *r, const struct report *group)
{
	for (; group < r; group++)
		if (are_duplicates(group, r))
			return true;
	return false;
}

void duplicate_ranks_text(struct out *o, const struct report *reports, size_t count)
{
	static const char line[] = "several processes recorded as this rank: give each its own RANK, unless "
				   "they belong together\n";
	struct grouped_lines all = { 0 };

	for (size_t first = 0, i = 0; i < count && reports[i].has_rank; i++) {
		if (reports[i].rank != reports[first].rank)
			first = i;
		if (has_duplicate(&reports[i], &reports[first]))
			grouped_lines_add(&all, &reports[i], line, strlen(line));
	}
	grouped_lines_print(&all, o);
}
