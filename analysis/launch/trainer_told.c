#include "analysis/launch/trainer_told.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "config/load/trainer_settings.h"

#define LINE_SIZE 2048

static bool is_as_told(const struct config *c, enum option_id id, const char *told)
{
	char text[LOADER_TOLD];

	option_text(c, id, text, sizeof(text));
	return !strcmp(text, told);
}

__attribute__((format(printf, 2, 3))) static void add(char line[LINE_SIZE], const char *format, ...)
{
	size_t used = strlen(line);
	va_list args;

	va_start(args, format);
	vsnprintf(line + used, LINE_SIZE - used, format, args);
	va_end(args);
}

/* "rank 0", "ranks 0,3" */
static void add_numbers(char line[LINE_SIZE], const char *what, const char *numbers)
{
	if (!strcmp(numbers, "all"))
		add(line, "all %ss", what);
	else
		add(line, "%s%s %s", what, strpbrk(numbers, ",-") ? "s" : "", numbers);
}

/* 6th */
static void add_ordinal(char line[LINE_SIZE], int64_t n)
{
	int64_t last = n % 100 / 10 == 1 ? 0 : n % 10;

	add(line, "%lld%s", (long long)n, last == 1 ? "st" : last == 2 ? "nd"
						     : last == 3       ? "rd"
								       : "th");
}

/* A trainer's schedule is one stretch, which counts since the process began. */
static void add_stretch(char line[LINE_SIZE], const struct schedule *s)
{
	int64_t first, last;

	schedule_run(s, schedule_next(s, -1), &first, &last);
	add(line, "the ");
	add_ordinal(line, first + 1);
	if (last != INT64_MAX && last > first) {
		add(line, " to ");
		add_ordinal(line, last + 1);
	}
	add(line, " step since the process began%s,", last == INT64_MAX ? " and all behind it" : "");
}

static void add_stages(char line[LINE_SIZE], const char *roles)
{
	add(line, ", stages ");
	for (; *roles; roles++)
		add(line, *roles == ';' ? ", " : "%c", *roles);
}

/* What somebody has said besides goes before it; where nothing is selected, other lines say so. */
static bool counts(const struct loader_told *told, const struct config *c)
{
	if (!told->dialect || !(c->steps.count || c->steps.all) || !(c->ranks.count || c->ranks.all))
		return false;
	return *told->schedule ? is_as_told(c, OPTION_schedule, told->schedule) : is_as_told(c, OPTION_steps, told->steps);
}

void trainer_tell(const struct loader_told *told, const struct config *c, void (*say)(const char *line))
{
	const struct trainer_dialect *d = told->dialect;
	char line[LINE_SIZE] = "";

	if (!counts(told, c))
		return;
	add(line, "%s of %s: ", told->flags ? "flags" : "settings", d->of);
	if (*told->schedule)
		add_stretch(line, &c->schedule);
	else
		add_numbers(line, "step", told->steps);
	if (is_as_told(c, OPTION_ranks, told->ranks)) {
		add(line, " of ");
		add_numbers(line, "rank", told->ranks);
	} else {
		add(line, " of the ranks that are given");
	}
	if (*told->roles && is_as_told(c, OPTION_roles, told->roles))
		add_stages(line, told->roles);
	if (!*told->schedule)
		add(line, " (the first step is %d)", d->least + d->shift);
	say(line);
}
