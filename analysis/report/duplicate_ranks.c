/* duplicate_ranks.c - the line that says which ranks several processes took themselves for. */
#include <string.h>

#include "analysis/report/grouped_lines.h"

static const char *fact(const struct report *r, const char *key)
{
	const char *value = facts_get(&r->facts, key);

	return value ? value : "";
}

/* Of one run, and no exec of the other. */
static bool are_twins(const struct report *a, const struct report *b)
{
	return !strcmp(fact(a, "job"), fact(b, "job")) && !strcmp(fact(a, "launch"), fact(b, "launch")) &&
	       (a->pid != b->pid || strcmp(fact(a, "host"), fact(b, "host")));
}

/* Is a process from `group` on, all of its rank, its twin? */
static bool has_twin(const struct report *r, const struct report *group)
{
	for (; group < r; group++)
		if (are_twins(group, r))
			return true;
	return false;
}

void report_twins(struct out *o, const struct report *reports, size_t count)
{
	static const char line[] = "several processes recorded as this rank: give each its own RANK, unless "
				   "they belong together\n";
	struct fold all = { 0 };

	for (size_t first = 0, i = 0; i < count && reports[i].has_rank; i++) {
		if (reports[i].rank != reports[first].rank)
			first = i;
		if (has_twin(&reports[i], &reports[first]))
			fold_add(&all, &reports[i], line, strlen(line));
	}
	fold_say(&all, o);
}
