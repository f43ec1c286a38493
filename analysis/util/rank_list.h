/* rank_list.h - many numbers in few words: "ranks 0-199, 201". */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sorts the numbers; three or more in a row are a range, one that comes twice counts as one. The word
 * before them is made plural where there are several. The text is the caller's to free.
 */
char *rank_list(const char *word, int64_t *numbers, size_t count);

/* A rank, and of which group of workers; "": that need not be said. */
struct rank_of_group {
	int64_t rank;
	const char *group;
};

/* The same of ranks in their groups: "ranks 0, 1 of a, rank 0 of b". */
char *rank_list_of_groups(struct rank_of_group *ranks, size_t count);

/* Of how many groups ranks are that come one by one. Only where there are several it has to be said of which a rank is. */
struct rank_groups {
	const char *last; /* of the rank that came last; NULL: none came */
	bool several;
};

/* "": of none, which is another one than any that has a name. */
void rank_groups_take(struct rank_groups *g, const char *group);
