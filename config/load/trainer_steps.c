/* trainer_steps.c - which steps a trainer's settings select. */
#include <errno.h>
#include <stdio.h>
#include "config/load/trainer_values.h"

#define LIST_TEXT 2048

static int set_no_steps(struct trainer_settings *s, const struct node *n)
{
	char where[WHERE_SIZE];

	trainer_settings_where(s, n, where, sizeof(where));
	trainer_settings_say(s, "%s: no steps, so nothing is recorded (to record: [2])", where);
	return trainer_set(s, OPTION_steps, n, "");
}

static int set_list(struct trainer_settings *s)
{
	const struct node *n = trainer_find_value(s, MEANS_STEPS), *m = trainer_meant(s, n);
	char text[LIST_TEXT];
	size_t used = 0;
	int64_t step;

	if (!m)
		return 0;
	if (m->shape == SHAPE_NULL || (m->shape == SHAPE_LIST && !m->first))
		return set_no_steps(s, n);
	if (m->shape != SHAPE_LIST)
		return trainer_refuse(s, n, "this is no list: write [%s]", m->shape == SHAPE_SCALAR && trainer_number_of(m, &step) ? m->text : "1,2");
	for (const struct node *item = m->first; item; item = item->next) {
		if (!trainer_number_of(trainer_meant(s, item), &step) || step < s->d->least)
			return trainer_refuse(s, n, "a list of numbers from 0 is meant: write one like [1,2]", "");
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld", used ? "," : "", (long long)step + s->d->shift);
		if (used >= sizeof(text))
			return trainer_refuse(s, n, "too many numbers: write fewer", "");
	}
	return trainer_set(s, OPTION_steps, n, text);
}

/* Since the process began is what a schedule counts. An end of -1: there is none. */
static int set_since_process(struct trainer_settings *s, const struct node *n, int64_t start, int64_t end)
{
	char text[128];

	if (end < 0)
		snprintf(text, sizeof(text), "skip_first=%lld,active=all,relative=1", (long long)start);
	else
		snprintf(text, sizeof(text), "skip_first=%lld,active=%lld,repeat=1,relative=1", (long long)start, (long long)(end - start));
	if (trainer_set(s, OPTION_schedule, n, text))
		return -EINVAL;
	s->l->trainers_schedule = true;
	return 0;
}

static int set_of_run(struct trainer_settings *s, const struct node *n, int64_t start, int64_t end)
{
	char text[64];

	if (end < 0)
		snprintf(text, sizeof(text), "%lld-", (long long)start);
	else
		snprintf(text, sizeof(text), "%lld-%lld", (long long)start, (long long)end - 1);
	return trainer_set(s, OPTION_steps, n, text);
}

/* An end that is not behind the start, as the trainer takes it. */
static int mend_end(struct trainer_settings *s, const struct node *n, int64_t start, int64_t *end)
{
	char least[24];

	snprintf(least, sizeof(least), "%lld", (long long)start + 1);
	if (*end > start || (s->d->end == END_OPEN && *end == -1))
		return 0;
	if (s->d->end == END_REFUSED)
		return trainer_refuse(s, n, "this is not behind the start: write %s or more", least);
	if (s->d->end == END_OPEN)
		return trainer_refuse(s, n, "this is not behind the start: write %s or more, or -1 for no end", least);
	*end = start + 1;
	trainer_settings_say(s, "%s: an end that is not behind the start is one step to it: step %lld (to record more: a greater end)", s->d->of, (long long)start);
	return 0;
}

static int set_range(struct trainer_settings *s)
{
	const struct node *from, *to, *n;
	int64_t start = 0, end = 0, first;
	char least[24];
	int err = trainer_number(s, MEANS_START, &start, &from);

	err = err ? err : trainer_number(s, MEANS_END, &end, &to);
	snprintf(least, sizeof(least), "%d", s->d->least);
	if (!err && start < s->d->least)
		err = trainer_refuse(s, from, "this is no step: write one from %s", least);
	err = err ? err : mend_end(s, to, start, &end);
	if (err)
		return err;
	n = from && from->origin ? from : to;
	first = start + s->d->shift < 0 ? 0 : start + s->d->shift;
	end = end == -1 ? -1 : end + s->d->shift;
	return s->d->since_process ? set_since_process(s, n, first, end) : set_of_run(s, n, first, end);
}

int trainer_set_steps(struct trainer_settings *s)
{
	return trainer_key_of(s, MEANS_STEPS) ? set_list(s) : set_range(s);
}
