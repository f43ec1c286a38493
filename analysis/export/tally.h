/* tally.h - how far an export has come. */
#pragma once
#include "analysis/export/exporter.h"

/* Of one share. */
struct export_tally {
	uint64_t bytes;	      /* of its files */
	uint64_t events, all; /* that were read, of so many */
	bool over;
};

#define EXPORT_TALLY_EACH 65536 /* events */

void export_tallies_begin(struct export *e);
void export_tally_tick(struct export *e);

static inline void export_tally_event(struct export *e)
{
	if (!(++e->tally->events & (EXPORT_TALLY_EACH - 1)))
		export_tally_tick(e);
}

/* On a terminal, if it takes long. */
void export_tallies_show(const struct export *e);

/* Elsewhere a line at the end says what was written, if it has taken long and all went well. */
void export_tallies_end(struct export *e, uint64_t events, bool well);
