/* time_sources.c - section: how device times were had, and how many were not. */
#include "analysis/report/time_sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/section.h"
#include "analysis/util/alloc.h"

static const struct time_sources *of(const struct report *r)
{
	return r->sections[SECTION_time_sources];
}

void time_sources_take(struct time_sources *t, const char *source)
{
	size_t i = 0;

	t->times++;
	if (!source)
		return;
	if (source == t->last) {
		t->list[t->at].times++;
		return;
	}
	while (i < t->count && strcmp(t->list[i].name, source))
		i++;
	if (i == t->count) {
		t->list = alloc_grow(t->list, ++t->count, sizeof(*t->list));
		t->list[i] = (struct time_source){ alloc_text(source, strlen(source)), 0 };
	}
	t->list[i].times++;
	t->last = source;
	t->at = i;
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
				all[k] = (struct time_source){ source->name, 0 };
			}
			all[k].times += source->times;
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
