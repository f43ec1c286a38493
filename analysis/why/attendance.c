#include "analysis/why/attendance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/grouped_lines.h"
#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"
#include "config/selection.h"

#define WORLD_MOST (1u << 20) /* ranks; what a damaged file says may be any number */

/* How many ranks of a group of workers have a step. */
struct seen {
	int64_t step;
	size_t ranks, last; /* last: number + 1 of the attendant that was counted last */
};

struct group {
	const char *name;
	size_t count;
	struct attendant *list;
	struct table steps; /* struct seen by step */
};

static const char *group_of(const struct why_rank *rank)
{
	return report_fact(&rank->report, "worker_group");
}

static struct seen *seen_of(struct group *g, int64_t step)
{
	struct seen *seen = table_put(&g->steps, (uint64_t)step);

	seen->step = step;
	return seen;
}

static void count_steps(struct group *g, size_t number)
{
	struct attendant *one = &g->list[number];

	one->last = INT64_MIN;
	for (size_t i = 0; i < one->processes; i++)
		for (size_t k = 0; k < one->rank[i].count; k++) {
			struct seen *seen = seen_of(g, one->rank[i].steps[k].step);

			seen->ranks += seen->last != number + 1;
			seen->last = number + 1;
			one->last = seen->step > one->last ? seen->step : one->last;
		}
}

/* Ranks of one group, each of one process or several. */
static void gather(struct group *g, const struct why_run *run)
{
	g->list = alloc_zero(run->count + 1, sizeof(*g->list));
	g->steps = TABLE(struct seen);
	for (size_t i = 0; i < run->count; i++) {
		const struct why_rank *rank = &run->ranks[i];

		if (!rank->report.has_rank || strcmp(group_of(rank), g->name) != 0)
			continue;
		if (!g->count || !report_is_same_rank(&g->list[g->count - 1].rank->report, &rank->report))
			g->list[g->count++] = (struct attendant){ .rank = rank };
		g->list[g->count - 1].processes++;
	}
	for (size_t i = 0; i < g->count; i++)
		count_steps(g, i);
}

static bool is_usual(const struct group *g, const struct seen *seen)
{
	return 2 * seen->ranks >= g->count;
}

static void add(int64_t **list, size_t *count, int64_t step)
{
	if (!(*count & (*count + 1))) /* no room is left behind 0, 1, 3, 7 and so on */
		*list = alloc_grow(*list, 2 * (*count + 1), sizeof(**list));
	(*list)[(*count)++] = step;
}

/* Which of the group's steps it has, by a mark that is its own. */
static void compare(struct group *g, size_t number)
{
	struct attendant *one = &g->list[number];
	size_t mark = g->count + number + 1;

	for (size_t i = 0; i < one->processes; i++)
		for (size_t k = 0; k < one->rank[i].count; k++)
			seen_of(g, one->rank[i].steps[k].step)->last = mark;
	one->stopped = true;
	one->others_last = INT64_MIN;
	for (size_t i = 0; i < g->steps.count; i++) {
		const struct seen *seen = table_item(&g->steps, i);

		if (is_usual(g, seen) && seen->step > one->others_last)
			one->others_last = seen->step;
		if (seen->last == mark && !is_usual(g, seen))
			add(&one->more, &one->more_count, seen->step);
		if (seen->last == mark || !is_usual(g, seen))
			continue;
		add(&one->lacks, &one->lack_count, seen->step);
		one->stopped &= seen->step > one->last;
	}
	one->stopped &= one->lack_count && one->last != INT64_MIN;
}

/* ---- who is not there ---- */

static uint64_t world_of(const struct group *g)
{
	uint64_t world = 0;

	for (size_t i = 0; i < g->count; i++)
		for (size_t k = 0; k < g->list[i].processes; k++) {
			uint64_t own = key_values_number(&g->list[i].rank[k].report.facts, "world", 0);

			world = own > world ? own : world;
		}
	return world;
}

/* Of the group's world those that were selected. */
static void find_absent(struct attendance *a, const struct group *g)
{
	const char *asked = g->count ? report_fact(&g->list->rank->report, "ranks") : "";
	struct absent absent = { .group = g->name, .world = world_of(g) };
	struct selection selected = { .all = !*asked };
	size_t at = 0;
	char why[256];

	if (absent.world > WORLD_MOST || (*asked && selection_read(&selected, asked, why, sizeof(why))))
		return;
	for (int64_t rank = 0; rank < (int64_t)absent.world; rank++) {
		while (at < g->count && g->list[at].rank->report.rank < rank)
			at++;
		if ((at == g->count || g->list[at].rank->report.rank != rank) && (selected.all || selection_has(&selected, rank)))
			add(&absent.ranks, &absent.count, rank);
	}
	if (!absent.count)
		return;
	a->absent = alloc_grow(a->absent, a->absent_count + 1, sizeof(*a->absent));
	a->absent[a->absent_count++] = absent;
}

/* ---- both ---- */

/* all: whose rank is not in the group is not there. */
static void take_group(struct attendance *a, const struct why_run *run, const char *name, bool all)
{
	struct group g = { .name = name };

	gather(&g, run);
	a->list = alloc_grow(a->list, a->count + g.count + 1, sizeof(*a->list));
	for (size_t i = 0; i < g.count; i++) {
		compare(&g, i);
		if (g.list[i].lack_count || g.list[i].more_count)
			a->list[a->count++] = g.list[i];
	}
	if (all)
		find_absent(a, &g);
	table_free(&g.steps);
	free(g.list);
}

/* A process without a rank may be any, and one without a group, where others have one, may be of each. */
static bool all_are_known(const struct why_run *run, bool grouped)
{
	for (size_t i = 0; i < run->count; i++)
		if (!run->ranks[i].report.has_rank || (grouped && !*group_of(&run->ranks[i])))
			return false;
	return true;
}

void attendance_find(struct attendance *a, const struct why_run *run)
{
	bool all;

	*a = (struct attendance){ .grouped = run->count && run->ranks->report.grouped };
	all = all_are_known(run, a->grouped);
	for (size_t i = 0; i < run->count; i++) {
		size_t same = 0;

		while (same < i && strcmp(group_of(&run->ranks[same]), group_of(&run->ranks[i])) != 0)
			same++;
		if (same == i)
			take_group(a, run, group_of(&run->ranks[i]), all);
	}
}

/* ---- as text and as JSON ---- */

static void put_line(struct grouped_lines *lines, const struct attendant *one, char *text)
{
	grouped_lines_add(lines, &one->rank->report, text, strlen(text));
	free(text);
}

static void put_list(struct grouped_lines *lines, const struct attendant *one, int64_t *steps, size_t count, const char *behind)
{
	char *list;

	if (!count)
		return;
	list = rank_list("step", steps, count);
	put_line(lines, one, alloc_format("%s%s", list, behind));
	free(list);
}

static void put_absent(struct out *o, const struct absent *absent, bool grouped)
{
	char *list = rank_list("rank", absent->ranks, absent->count);

	out_format(o, "%s of ", list);
	if (grouped) {
		out_clean(o, absent->group);
		out_text(o, ", which has ");
	}
	out_format(o, "%" PRIu64 ": no file is here: `ranktrace check` says why\n", absent->world);
	free(list);
}

void attendance_text(struct out *o, const struct attendance *a)
{
	struct grouped_lines lines = { 0 };

	if (a->absent_count || a->count)
		out_char(o, '\n');
	for (size_t i = 0; i < a->absent_count; i++)
		put_absent(o, &a->absent[i], a->grouped);
	for (size_t i = 0; i < a->count; i++) {
		const struct attendant *one = &a->list[i];

		if (one->stopped)
			put_line(&lines, one, alloc_format("the last step is %" PRId64 ", that of others %" PRId64 ": `ranktrace check` says how each ended\n", one->last, one->others_last));
		else
			put_list(&lines, one, one->lacks, one->lack_count, ", which others have: not recorded\n");
		put_list(&lines, one, one->more, one->more_count, ": recorded, but not by others\n");
	}
	grouped_lines_print(&lines, o);
}

static void json_numbers(struct out *o, const char *name, const int64_t *numbers, size_t count)
{
	out_json_key(o, name);
	out_char(o, '[');
	for (size_t i = 0; i < count; i++) {
		out_json_comma(o, i);
		out_i64(o, numbers[i]);
	}
	out_char(o, ']');
}

static void json_attendant(struct out *o, const struct attendant *one)
{
	why_rank_json(o, one->rank);
	out_json_truth(o, "stopped", one->stopped);
	json_numbers(o, "steps_lacking", one->lacks, one->lack_count);
	json_numbers(o, "steps_more", one->more, one->more_count);
	out_char(o, '}');
}

static void json_absent(struct out *o, const struct attendance *a)
{
	out_json_key(o, "ranks_without_file_by_group");
	out_char(o, '[');
	for (size_t i = 0; i < a->absent_count && a->grouped; i++) {
		out_json_comma(o, i);
		out_text(o, "{\"worker_group\":");
		out_json(o, a->absent[i].group);
		out_json_number(o, "world", a->absent[i].world);
		json_numbers(o, "ranks", a->absent[i].ranks, a->absent[i].count);
		out_char(o, '}');
	}
	out_char(o, ']');
}

void attendance_json(struct out *o, const struct attendance *a)
{
	bool one = a->absent_count && !a->grouped;

	json_numbers(o, "ranks_without_file", one ? a->absent->ranks : NULL, one ? a->absent->count : 0);
	json_absent(o, a);
	out_text(o, ",\"ranks_with_other_steps\":[");
	for (size_t i = 0; i < a->count; i++) {
		out_json_comma(o, i);
		json_attendant(o, &a->list[i]);
	}
	out_char(o, ']');
}

void attendance_free(struct attendance *a)
{
	for (size_t i = 0; i < a->count; i++) {
		free(a->list[i].lacks);
		free(a->list[i].more);
	}
	free(a->list);
	for (size_t i = 0; i < a->absent_count; i++)
		free(a->absent[i].ranks);
	free(a->absent);
}
