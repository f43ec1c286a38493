/* rank_list.h - many numbers in few words: "ranks 0-199, 201". */
#pragma once
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
