/* names.h - texts that events share, and kinds: a title, a category and arguments that come together. Each has a number, from 0. */
#pragma once
#include <stdbool.h>

#include "analysis/util/out.h"
#include "analysis/util/table.h"

#define NAME_MOST 1000 /* bytes of a text that are kept */

struct texts {
	struct table by_hash; /* uint32_t number */
	char **list;
	size_t count, capacity, bytes; /* bytes: that the page has of them */
	size_t most;		       /* beyond, a text is the first one, "" */
	uint64_t over;		       /* such */
};

struct kind {
	uint32_t title, category, arguments;
	uint32_t place; /* among all, the most frequent first: that has the shortest numbers in a page */
	uint32_t number;
	uint64_t uses;
};

struct names {
	struct texts titles, arguments;
	struct table kinds; /* struct kind by its numbers */
};

void names_init(struct names *n);
uint32_t names_kind(struct names *n, const char *title, const char *category, const char *arguments);
void names_free(struct names *n);

/* Gives each kind its place. */
void names_order(struct names *n);

static inline uint32_t names_place(const struct names *n, uint32_t kind)
{
	return ((const struct kind *)table_item(&n->kinds, kind))->place;
}

/* By place: members of an object that is open: "titles":[..],"arguments":[..],"kinds":[title,category,arguments,..] */
void names_json(struct out *o, const struct names *n);
