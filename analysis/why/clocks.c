#include "analysis/why/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/why/kept.h"
#include "analysis/why/reference.h"

/* A host's differences from the first one. */
struct differences {
	size_t count, capacity;
	int64_t *list;
};

static uint32_t host_of(struct clocks *c, const struct why_rank *rank)
{
	const char *name = report_fact(&rank->report, "host");
	uint32_t i = 0;

	while (i < c->count && strcmp(c->hosts[i].host, name) != 0)
		i++;
	if (i == c->count)
		c->hosts[c->count++] = (struct host_clock){ .host = name };
	return i;
}

#define DIFFERENCE_MOST (INT64_MAX / 4) /* ns, 73 years */

/* uint64_t by meeting: when the first host left it. Calls need not end together. */
static void note_first(struct table *first, const struct meeting_time *times, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!times[i].by_host)
			*(uint64_t *)table_put(first, times[i].meeting) = times[i].left;
}

/* Of what a damaged file may say: differences of these are numbers yet. */
static int64_t within(int64_t ns)
{
	return ns < -DIFFERENCE_MOST ? -DIFFERENCE_MOST : ns > DIFFERENCE_MOST ? DIFFERENCE_MOST
									       : ns;
}

static void compare(struct differences *d, const struct table *first, const struct meeting_time *times, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t *left = times[i].by_host ? NULL : table_find(first, times[i].meeting);

		if (!left)
			continue;
		if (d->count == d->capacity) {
			d->capacity = d->capacity ? 2 * d->capacity : 64;
			d->list = alloc_grow(d->list, d->capacity, sizeof(*d->list));
		}
		d->list[d->count++] = within((int64_t)(*left - times[i].left));
	}
}

/* Of one host. d: NULL: of the first one. */
static void look_at(const struct clocks *c, const struct why_run *run, uint32_t host, struct table *first, struct differences *d)
{
	for (uint32_t r = 0; r < run->count; r++) {
		struct meeting_time *times;
		size_t count;

		if (c->of_rank[r] != host)
			continue;
		times = kept_times(run, &run->ranks[r], &count);
		if (d)
			compare(d, first, times, count);
		else
			note_first(first, times, count);
		free(times);
	}
}

static void align(struct clocks *c, const struct why_run *run, uint32_t host, struct table *first)
{
	struct differences d = { 0 };
	struct spread s;

	look_at(c, run, host, first, &d);
	s = reference_spread(d.list, d.count);
	c->hosts[host].known = d.count > 0;
	c->hosts[host].offset = s.median;
	c->hosts[host].residual = s.noise;
	c->hosts[host].meetings = d.count;
	free(d.list);
}

void clocks_align(struct clocks *c, const struct why_run *run)
{
	struct table first = TABLE(uint64_t);

	*c = (struct clocks){ .hosts = alloc_zero(run->count, sizeof(*c->hosts)), .of_rank = alloc_zero(run->count, sizeof(*c->of_rank)) };
	for (uint32_t r = 0; r < run->count; r++)
		c->of_rank[r] = host_of(c, &run->ranks[r]);
	if (c->count)
		c->hosts[0].known = true;
	if (c->count < 2)
		return;
	look_at(c, run, 0, &first, NULL);
	for (uint32_t h = 1; h < c->count; h++)
		align(c, run, h, &first);
	table_free(&first);
}

void clocks_free(struct clocks *c)
{
	free(c->hosts);
	free(c->of_rank);
}
