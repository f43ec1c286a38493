/* trainer_ranks.c - which ranks a trainer's settings select. */
#include <stdio.h>
#include <string.h>
#include "config/load/trainer_values.h"

#define LIST_TEXT 2048

static int set_meant(struct trainer_settings *s, const struct node *n, enum trainer_ranks which)
{
	const char *text = which == RANKS_ALL ? "all" : which == RANKS_ZERO ? "0"
									    : "";
	char where[WHERE_SIZE];

	trainer_settings_where(s, n, where, sizeof(where));
	if (which == RANKS_REFUSED)
		return trainer_refuse(s, n, "no rank is an error to it: write %s", s->d->minus_1 == RANKS_ALL ? "[0], or [-1] for all" : "0");
	if (which == RANKS_NOBODY)
		trainer_settings_say(s, "%s: no ranks, so nothing is recorded (of rank 0: [0])", where);
	if (which == RANKS_ZERO)
		trainer_settings_say(s, "%s: rank 0, as %s takes whatever is no list (others: a list like [0,1])", where, s->d->of);
	return trainer_set(s, OPTION_ranks, n, text);
}

/* -1 among them: *all is set. */
static int join_ranks(struct trainer_settings *s, const struct node *n, const struct node *list, char text[LIST_TEXT], bool *all)
{
	size_t used = 0;
	int64_t rank;

	for (const struct node *item = list->first; item; item = item->next) {
		if (!trainer_number_of(trainer_meant(s, item), &rank) || rank < -1)
			return trainer_refuse(s, n, "a list of numbers from 0 is meant: write one like [0,1]", "");
		if (rank < 0 && (s->d->minus_1 == RANKS_REFUSED || (s->d->minus_1 == RANKS_ALL_ALONE && list->first->next)))
			return trainer_refuse(s, n, "-1 is no rank to it: write %s", s->d->to_all ? s->d->to_all : "-1 alone for all");
		*all |= rank < 0;
		used += (size_t)snprintf(text + used, LIST_TEXT - used, "%s%lld", used ? "," : "", (long long)rank);
		if (used >= LIST_TEXT)
			return trainer_refuse(s, n, "too many numbers: write fewer", "");
	}
	return 0;
}

static int set_no_list(struct trainer_settings *s, const struct node *n, const struct node *m)
{
	int64_t rank;

	if (m->shape == SHAPE_SCALAR && s->d->all_word && !strcmp(m->text, "all"))
		return trainer_set(s, OPTION_ranks, n, "all");
	if (s->d->null == RANKS_ZERO && trainer_number_of(m, &rank))
		return set_meant(s, n, RANKS_ZERO);
	return trainer_refuse(s, n, s->d->all_word ? "this is no list: write one like [0,1] without quotation marks, or all" : "this is no list: write one like [0,1]",
			      "");
}

int trainer_set_ranks(struct trainer_settings *s)
{
	const struct node *n = trainer_find_value(s, MEANS_RANKS), *m = trainer_meant(s, n);
	char text[LIST_TEXT] = "";
	bool all = false;
	int err = trainer_bool(s, MEANS_ALL_RANKS, &all);

	if (err || !m)
		return err;
	if (all)
		return trainer_set(s, OPTION_ranks, trainer_find_value(s, MEANS_ALL_RANKS), "all");
	if (m->shape == SHAPE_NULL && s->d->null == RANKS_DEFAULT)
		return trainer_set(s, OPTION_ranks, n, !strcmp(s->d->ranks, "[0]") ? "0" : "all");
	if (m->shape == SHAPE_NULL)
		return set_meant(s, n, s->d->null);
	if (!strcmp(m->shape == SHAPE_SCALAR ? m->text : "", "all") && !n->origin)
		return trainer_set(s, OPTION_ranks, n, "all");
	if (m->shape != SHAPE_LIST)
		return set_no_list(s, n, m);
	if (!m->first)
		return set_meant(s, n, s->d->empty);
	err = join_ranks(s, n, m, text, &all);
	return err ? err : trainer_set(s, OPTION_ranks, n, all ? "all" : text);
}
