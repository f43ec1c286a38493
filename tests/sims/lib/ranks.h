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

/*
 * Meetings of all ranks, in order: each tells when it comes and how long its own part takes, by one clock. Nobody is more
 * than one meeting ahead of another.
 */
uint64_t ranks_next(struct ranks *ranks); /* the number of this rank's next one */
void ranks_post(struct ranks *ranks, uint64_t number, uint64_t begin, uint64_t ns);
bool ranks_met(const struct ranks *ranks, uint64_t number, uint64_t *end); /* all came: when the last had come, and the longest part was done */
uint32_t ranks_posts(const struct ranks *ranks);			   /* how often one came to any */
void ranks_await(const struct ranks *ranks, uint32_t posts);		   /* a millisecond at most, for one more than so many */
bool ranks_move(struct ranks_item *items, size_t n, long seconds);	   /* all of them at once; or somebody did not come in time */
