/*
 * crew.h - pieces of work are done several at a time, by forks of ours, each of which takes the next one that nobody has. What comes of
 * one is a record, in any form that both know.
 */
#pragma once
#include "analysis/util/parcel.h"

struct crew_work {
	const char *name; /* in front of the progress */
	size_t count;
	unsigned int jobs;
	void *context;

	/* In a fork. said: where stderr leads there, a file of ours; -1: elsewhere. */
	void (*make)(void *context, size_t number, int said, struct parcel *record);

	/* Here, in any order, each number once: its record, or why there is none. */
	void (*take)(void *context, size_t number, const uint8_t *record, size_t size);
	void (*lost)(void *context, size_t number, const char *why);
};

void crew_do(const struct crew_work *w);

/* What was said to this file, which is empty then; NULL: nothing. For free(). */
char *crew_said(int fd);
