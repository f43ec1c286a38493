#include "analysis/choice.h"

#include <stdio.h>

#include "analysis/commands.h"
#include "config/option.h"

int choice_read(struct choice *c, int option, const char *text)
{
	struct selection *list = option == 's' ? &c->steps : &c->ranks;
	char why[256] = "no number: write numbers, ranges like 5-9, or all";

	if (!selection_set(list, sizeof(*list), text, why, sizeof(why)) && (list->all || list->count))
		return 0;
	fprintf(stderr, "ranktrace: --%s: %s\n", option == 's' ? "steps" : "ranks", why);
	return EXIT_USAGE;
}

bool choice_has_rank(const struct choice *c, bool has_rank, int64_t rank)
{
	return c->ranks.all || (has_rank && selection_has(&c->ranks, rank));
}

void choice_no_rank(void)
{
	fputs("ranktrace: none of the --ranks asked for is here; `ranktrace report` without it shows all\n", stderr);
}

void choice_no_step(const char *but)
{
	fprintf(stderr, "ranktrace: none of the --steps asked for is here%s\n", but);
}
