/* ranks.h - ranks of one machine, processes or threads, that share a file of boxes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranks;

/* One piece that goes to, or comes from, another rank (or oneself). */
struct ranks_item {
	const struct ranks *of;
	bool sends;
	uint32_t peer;
	char *data;
	size_t size, done;
};

/* All who name the same name are one group; NULL if its file cannot be had. */
struct ranks *ranks_join(const char *name, uint32_t n, uint32_t rank);
void ranks_leave(struct ranks *ranks);
uint32_t ranks_rank(const struct ranks *ranks);
uint32_t ranks_number(const struct ranks *ranks);
const char *ranks_name(const struct ranks *ranks);
bool ranks_move(struct ranks_item *items, size_t n, long seconds); /* all of them at once; or somebody did not come in time */
