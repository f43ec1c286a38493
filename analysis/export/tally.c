#include "analysis/export/tally.h"

#include <sys/mman.h>

#include "analysis/export/shares.h"
#include "analysis/util/alloc.h"
#include "analysis/util/progress.h"

static size_t room_for(const struct export *e)
{
	return (e->share_count + 1) * sizeof(struct export_tally);
}

void export_tallies_begin(struct export *e)
{
	e->tallies = alloc_shared(room_for(e));
	for (size_t i = 0; i < e->share_count; i++)
		e->tallies[i].bytes = share_size(&e->shares[i]);
	progress_begin();
}

static uint64_t events_of(const struct share *s)
{
	uint64_t sum = 0;

	for (size_t i = s->begin; i < s->end; i++)
		sum += s->process->files[i].kept;
	return sum;
}

void export_tally_tick(struct export *e)
{
	if (!e->tally->all)
		e->tally->all = events_of(e->share);
	export_tallies_show(e);
}

static double share_of(const struct export_tally *t)
{
	if (t->over)
		return 1;
	return t->all && t->events < t->all ? (double)t->events / (double)t->all : 0;
}

void export_tallies_show(const struct export *e)
{
	double done = 0, all = 0;
	uint64_t events = 0;

	for (size_t i = 0; i < e->share_count; i++) {
		const struct export_tally *t = &e->tallies[i];

		done += share_of(t) * (double)t->bytes;
		all += (double)t->bytes;
		events += e->shares[i].part ? 0 : t->events; /* which each part reads */
	}
	progress_share("export", all > 0 ? done / all : 0, events);
}

void export_tallies_end(struct export *e, uint64_t events, bool well)
{
	if (well)
		progress_share_end("exported", events);
	else
		progress_end();
	munmap(e->tallies, room_for(e));
}
