/* selection.h - sets of step or rank numbers: read, ask, print. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_RANGES 128

/* A set of numbers as the user wrote it. Nothing given and an empty list are different things. */
struct selection {
	bool given; /* false: the user said nothing */
	bool all;
	bool unknown;	    /* of ranks: those, too, that nobody knows */
	bool none;	    /* said by that word, and not by an empty list: nothing of it, but what there is */
	unsigned int count; /* sorted, disjoint, inclusive ranges */
	struct {
		int64_t first, last;
	} range[CONFIG_RANGES];
};

bool selection_has(const struct selection *s, int64_t n);

/* The run of consecutive selected numbers around n (n must be selected): [first, last]. */
void selection_run(const struct selection *s, int64_t n, int64_t *first, int64_t *last);

/* Is any selected number greater than n? And the least of them; INT64_MAX: none is. */
bool selection_after(const struct selection *s, int64_t n);
int64_t selection_next(const struct selection *s, int64_t n);

/* Reads `2,5-9` and the like. Returns 0, or -EINVAL with the reason in why. */
int selection_read(struct selection *s, const char *text, char *why, size_t size);

/* Prints it as selection_read() takes it. */
void selection_text(const struct selection *s, char *text, size_t size);
