#include "analysis/why/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
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

typedef void take_time(void *context, uint32_t rank, const struct meeting_time *time);

static void for_each_time(const struct why_run *run, take_time *take, void *context)
{
	for (uint32_t r = 0; r < run->count; r++)
		for (size_t i = 0; i < run->ranks[r].count; i++)
			for (size_t k = 0; k < run->ranks[r].steps[i].split.time_count; k++)
				if (!run->ranks[r].steps[i].split.times[k].by_host) /* calls need not end together */
					take(context, r, &run->ranks[r].steps[i].split.times[k]);
}

#define DIFFERENCE_MOST (INT64_MAX / 4) /* ns, 73 years */

struct aligning {
	struct clocks *clocks;
	struct table first; /* uint64_t by meeting: when the first host left it */
	struct differences *of_host;
};

static void note_first(void *context, uint32_t rank, const struct meeting_time *time)
{
	struct aligning *a = context;

	if (!a->clocks->of_rank[rank])
		*(uint64_t *)table_put(&a->first, time->meeting) = time->left;
}

/* Of what a damaged file may say: differences of these are numbers yet. */
static int64_t within(int64_t ns)
{
	return ns < -DIFFERENCE_MOST ? -DIFFERENCE_MOST : ns > DIFFERENCE_MOST ? DIFFERENCE_MOST
									       : ns;
}

static void compare(void *context, uint32_t rank, const struct meeting_time *time)
{
	struct aligning *a = context;
	struct differences *d = &a->of_host[a->clocks->of_rank[rank]];
	const uint64_t *first = table_find(&a->first, time->meeting);

	if (!first || !a->clocks->of_rank[rank])
		return;
	if (d->count == d->capacity) {
		d->capacity = d->capacity ? 2 * d->capacity : 64;
		d->list = alloc_grow(d->list, d->capacity, sizeof(*d->list));
	}
	d->list[d->count++] = within((int64_t)(*first - time->left));
}

void clocks_align(struct clocks *c, const struct why_run *run)
{
	struct aligning a = { .clocks = c, .first = TABLE(uint64_t) };

	*c = (struct clocks){ .hosts = alloc_zero(run->count, sizeof(*c->hosts)), .of_rank = alloc_zero(run->count, sizeof(*c->of_rank)) };
	for (uint32_t r = 0; r < run->count; r++)
		c->of_rank[r] = host_of(c, &run->ranks[r]);
	if (c->count)
		c->hosts[0].known = true;
	if (c->count < 2)
		return;
	a.of_host = alloc_zero(c->count, sizeof(*a.of_host));
	for_each_time(run, note_first, &a);
	for_each_time(run, compare, &a);
	for (size_t h = 1; h < c->count; h++) {
		struct spread s = reference_spread(a.of_host[h].list, a.of_host[h].count);

		c->hosts[h].known = a.of_host[h].count > 0;
		c->hosts[h].offset = s.median;
		c->hosts[h].residual = s.noise;
		c->hosts[h].meetings = a.of_host[h].count;
		free(a.of_host[h].list);
	}
	free(a.of_host);
	table_free(&a.first);
}

void clocks_free(struct clocks *c)
{
	free(c->hosts);
	free(c->of_rank);
}
