#include "config/loader.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "config/base/refuse.h"

void loader_begin(struct loader *l, struct config *c, char *error, size_t size)
{
	*l = (struct loader){ .c = c, .error = error, .size = size };
	*c = (struct config){ 0 };
	for (unsigned int id = 0; id < OPTIONS; id++) {
		const char *initial = options[id].initial ? options[id].initial : options[id].type->unset;

		if (initial)
			option_set(c, id, initial, error, size);
	}
	error[0] = '\0';
}

void loader_layer(struct loader *l)
{
	memset(l->given, 0, sizeof(l->given));
}

/* A list of steps and a range of steps contradict each other; across layers the later one wins. */
static int steps_or_range(struct loader *l, enum option_id id, const char *where)
{
	bool start = bits_has(l->given, OPTION_step_start), end = bits_has(l->given, OPTION_step_end);
	struct config *c = l->c;

	if (l->trainers_schedule)
		c->schedule.given = l->trainers_schedule = false;
	if (bits_has(l->given, OPTION_steps) && (start || end))
		return refuse(l->error, l->size, "%s: steps and %s are both given: keep one", where,
			      start ? "step_start" : "step_end");
	if (id == OPTION_steps) {
		c->step_start = c->step_end = -1;
		return 0;
	}
	c->steps = (struct selection){ 0 };
	snprintf(l->range_where, sizeof(l->range_where), "%s", where);
	return 0;
}

/* An option goes before what a trainer's settings said of single roles. */
static void forget_of_roles(struct loader *l, enum option_id id)
{
	static const struct {
		enum option_id id;
		enum role_key key;
	} same[] = {
		{ OPTION_level, ROLE_KEY_level },
		{ OPTION_contents, ROLE_KEY_contents },
		{ OPTION_discrete, ROLE_KEY_discrete },
		{ OPTION_schedule, ROLE_KEY_schedule },
		{ OPTION_ranks, ROLE_KEY_ranks },
		{ OPTION_ranks, ROLE_KEY_all_ranks },
		{ OPTION_analysis, ROLE_KEY_analysis },
	};

	if (id == OPTION_roles)
		l->trainers_roles = false;
	if (id == OPTION_schedule)
		l->trainers_schedule = false;
	for (size_t i = 0; l->trainers_roles && i < sizeof(same) / sizeof(same[0]); i++)
		if (same[i].id == id)
			role_choices_forget(&l->c->roles, same[i].key);
}

int loader_set(struct loader *l, enum option_id id, const char *where, const char *text)
{
	char why[1024];
	bool range = id == OPTION_step_start || id == OPTION_step_end;
	int err;

	if (!*text && !options[id].type->empty)
		return 0;
	err = option_set(l->c, id, text, why, sizeof(why));
	if (err)
		return refuse(l->error, l->size, "%s: %s", where, why);
	if (range && !strcmp(text, "-1"))
		return 0;
	bits_add(l->given, id);
	forget_of_roles(l, id);
	if (id == OPTION_save_path)
		snprintf(l->path_where, sizeof(l->path_where), "%s", where);
	return id == OPTION_steps || range ? steps_or_range(l, id, where) : 0;
}

/* Whoever wants it for one role gets the export of all that is recorded. */
static void fold_analysis(struct config *c)
{
	for (unsigned int i = 0; i < c->roles.count; i++) {
		const struct role_choice *role = &c->roles.list[i];

		c->analysis |= role->enable && role_says(role, ROLE_KEY_analysis) && role->analysis;
	}
}

static int fold_range(struct loader *l)
{
	struct config *c = l->c;
	int64_t start = c->step_start < 0 ? 0 : c->step_start;

	if (c->step_start < 0 && c->step_end < 0)
		return 0;
	if (c->step_end >= 0 && start >= c->step_end)
		return refuse(l->error, l->size, "%s: step_end %lld is not after step_start %lld: "
						 "write a step_end of %lld or more, or -1 for no end",
			      l->range_where,
			      (long long)c->step_end, (long long)start, (long long)start + 1);
	c->steps = (struct selection){ .given = true, .count = 1 };
	c->steps.range[0].first = start;
	c->steps.range[0].last = c->step_end < 0 ? INT64_MAX : c->step_end - 1;
	return 0;
}

static int absolute_path(struct loader *l)
{
	char here[1024], *path = l->c->save_path;
	const char *where = l->path_where[0] ? l->path_where : "save_path";
	size_t length;

	if (path[0] == '/')
		return 0;
	while (!strncmp(path, "./", 2))
		path += 2;
	if (!getcwd(here, sizeof(here)))
		return refuse(l->error, l->size,
			      "%s: '%s' is relative and the current directory is unknown: write an absolute path",
			      where, path);
	length = strlen(here);
	if (length + strlen(path) + 2 > sizeof(l->c->save_path))
		return refuse(l->error, l->size,
			      "%s: longer than %zu bytes with the current "
			      "directory before it: write a shorter one",
			      where, sizeof(l->c->save_path) - 1);
	memmove(l->c->save_path + length + 1, path, strlen(path) + 1);
	memcpy(l->c->save_path, here, length);
	l->c->save_path[length] = '/';
	return 0;
}

int loader_finish(struct loader *l)
{
	int err;

	err = fold_range(l);
	if (err)
		return err;
	fold_analysis(l->c);
	if (l->c->schedule.given && !l->c->steps.given && !(l->c->on_demand && l->c->schedule.counter != SCHEDULE_STEP))
		l->c->steps.given = l->c->steps.all = true;
	if (!l->c->ranks.given && (l->c->steps.given || l->c->on_demand))
		l->c->ranks.all = true;
	return absolute_path(l);
}
