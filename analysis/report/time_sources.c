/* time_sources.c - section: how device times were had, and how many were not. */
#include "analysis/report/time_sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

static const struct time_sources *of(const struct report *r)
{
	return r->sections[SECTION_time_sources];
}

static void look_up(struct time_sources *t, const char *source)
{
	size_t i = 0;

	while (i < t->count && strcmp(t->list[i].name, source))
		i++;
	if (i == t->count) {
		t->list = alloc_grow(t->list, ++t->count, sizeof(*t->list));
		t->list[i] = (struct time_source){ .name = alloc_text(source, strlen(source)) };
	}
	t->last = source;
	t->at = i;
}

static void add(struct time_source *to, uint64_t times, uint64_t shortest)
{
	to->times += times;
	if (shortest && (!to->shortest || shortest < to->shortest))
		to->shortest = shortest;
}

void time_sources_take(struct time_sources *t, const char *source, uint64_t duration)
{
	t->times++;
	if (!source)
		return;
	if (source != t->last)
		look_up(t, source);
	add(&t->list[t->at], 1, duration);
}

static void let_go(void *kept)
{
	struct time_sources *t = kept;

	for (size_t i = 0; i < t->count; i++)
		free(t->list[i].name);
	free(t->list);
}

static void parcel(struct parcel *p, void *kept)
{
	struct time_sources *t = kept;

	PARCEL(p, t->times);
	for (size_t i = 0; parcel_has(p, i, &t->list, &t->count, sizeof(*t->list)); i++) {
		parcel_text(p, &t->list[i].name);
		PARCEL(p, t->list[i].times);
		PARCEL(p, t->list[i].shortest);
	}
}

/* ---- as a line ---- */

/* Ranks of one run tell of the same sources, most often: each is named once. Names are the reports'. */
static struct time_source *join(const struct report *reports, size_t count, size_t *joined)
{
	struct time_source *all = NULL;
	size_t n = 0, k;

	for (size_t i = 0; i < count; i++)
		for (size_t s = 0; s < of(&reports[i])->count; s++) {
			const struct time_source *source = &of(&reports[i])->list[s];

			for (k = 0; k < n && strcmp(all[k].name, source->name);)
				k++;
			if (k == n) {
				all = alloc_grow(all, ++n, sizeof(*all));
				all[k] = (struct time_source){ .name = source->name };
			}
			add(&all[k], source->times, source->shortest);
		}
	*joined = n;
	return all;
}

/* What the word of a source stands for; of a newer version the word. */
static const char *source_meaning(const char *source)
{
	static const struct {
		const char *source, *meaning;
	} meanings[] = {
#define TIME_SOURCE(word, meaning) { word, meaning },
#include "hooks/rows/vendors.def"
	};

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (!strcmp(source, meanings[i].source))
			return meanings[i].meaning;
	return source;
}

/* Between two events is more than the work: what they take themselves, and the host, if the device waits for the next call. */
#define SHORT 2000u /* ns: less is no matter */
static void say_shortest(struct out *o, const struct time_source *t)
{
	char text[COLUMN];

	if (strcmp(t->name, "events") || t->shortest < SHORT)
		return;
	out_format(o, "the shortest between events is %s: so much of each may be the events' own, and the host's pace: see --device-source\n",
		   column_duration(t->shortest, text));
}

void time_sources_line(struct out *o, const struct report *reports, size_t count)
{
	size_t n;
	struct time_source *all = join(reports, count, &n);

	for (size_t i = 0; i < n; i++) {
		out_text(o, i ? ", " : "TIMES device: from ");
		out_clean(o, source_meaning(all[i].name));
		out_format(o, " (%" PRIu64 " device time%s)", all[i].times, all[i].times == 1 ? "" : "s");
	}
	if (n)
		out_text(o, "\n");
	for (size_t i = 0; i < n; i++)
		say_shortest(o, &all[i]);
	free(all);
}

/* ---- as JSON ---- */

static void json(struct out *o, const struct report *r)
{
	const struct time_sources *t = of(r);

	out_json_number(o, "device_times", t->times);
	out_json_key(o, "time_sources");
	out_char(o, '{');
	for (size_t i = 0; i < t->count; i++) {
		out_json_comma(o, i);
		out_json(o, t->list[i].name);
		out_char(o, ':');
		out_u64(o, t->list[i].times);
	}
	out_char(o, '}');
	out_json_number(o, "untimed", key_values_number(&r->facts, "untimed", 0));
}

const struct section time_sources_section = { .kept = sizeof(struct time_sources), .free = let_go, .parcel = parcel, .json = json, .csv = "" };
