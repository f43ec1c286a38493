/* subjects.h - what time is spent on, of all processes by one number: a call, a gap between two, a kernel with its sizes. */
#pragma once
#include <stdint.h>

#include "analysis/util/table.h"

enum why_kind {
#define KIND(symbol, word) WHY_##symbol,
#include "analysis/why/kinds.def"
#undef KIND
	WHY_KINDS
};

extern const char *const why_words[WHY_KINDS];

struct subject {
	enum why_kind kind;
	char *name;	 /* of the call, the kernel, the collective; of a gap the call before it; "": none */
	char *detail;	 /* of a kernel its sizes or shapes, of a gap the call behind it, of a launch the kernel; "": none */
	uint32_t family; /* number of the subject of this kind and name that has no detail: its kernel, whatever the sizes */
};

struct subjects {
	struct table list;  /* struct subject by hash of its words; its number is its place */
	struct table pairs; /* uint32_t number + 1, by those of two others */
};

void subjects_init(struct subjects *s);
uint32_t subjects_number(struct subjects *s, enum why_kind kind, const char *name, const char *detail);

/* The one between two others, as a gap is: it is called by their names. NO_SUBJECT: there is none. */
#define NO_SUBJECT UINT32_MAX
uint32_t subjects_between(struct subjects *s, enum why_kind kind, uint32_t before, uint32_t behind);

static inline const struct subject *subjects_get(const struct subjects *s, uint32_t number)
{
	return table_item(&s->list, number);
}
void subjects_free(struct subjects *s);
