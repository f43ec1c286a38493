/*
 * section.h - one section of the report: what it keeps of the events of each process, and how it shows that as text and as
 * JSON. A section is a file of its own beside this one and a line in sections.def. What it does not need is left out.
 */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/trace.h"
#include "analysis/util/out.h"
#include "analysis/util/parcel.h"

struct section {
	/* Bytes that it keeps of a process, zero at first. Others find them in report.sections[SECTION_name]. */
	size_t kept;

	/* While a process is read; kept is what is kept, and the context of the visitor. asked: steps. */
	void (*begin)(void *kept, struct process *p, const struct selection *asked);
	struct visitor visitor;
	uint64_t kinds;			/* of the visitor's events: KIND_BIT(EV_COPY) and so on; 0: all */
	bool all_steps;			/* false: its events are of the steps that were asked for */
	bool (*idle)(const void *kept); /* true, once it has begun: nothing in this process is for it, so its visitor is not called */
	void (*end)(void *kept);
	void (*free)(void *kept); /* what it points to */

	/*
	 * Packs what it keeps when all events are in, and opens that (parcel.h): other processes read, the report is shown here. A section
	 * that keeps something has it, if check_parcel is to pass.
	 */
	void (*parcel)(struct parcel *p, void *kept);
	bool of_calls; /* its figures are sums of calls: where some were dropped a line below its text says in which steps */

	/* When all have been read. top: rows of a long table. json: members of an object, as ,"name":value */
	void (*text)(struct out *o, const struct report *reports, size_t count, size_t top);
	void (*json)(struct out *o, const struct report *r);

	/* As CSV: the members of its JSON that are rows, commas between; "": it is one row; NULL: the member that is called as the section. */
	const char *csv;
};

#define KIND_BIT(kind) (1ull << (kind))
_Static_assert(EV_KINDS < 64, "a bit a kind");

#define TEXT(name)    extern const struct section name##_section;
#define JSON(name)    extern const struct section name##_section;
#define SECTION(name) extern const struct section name##_section;
#include "analysis/report/sections.def"
#undef TEXT
#undef JSON
#undef SECTION

/* By enum section_id. */
extern const struct section *const section_list[SECTIONS];

/* What those with JSON are called, by enum section_id. */
const char *const *section_json_names(void);

/* What sections are called: each once, NULL at the end. */
const char *const *section_words(void);

/* Has one of this name a place in the text? In JSON, which is CSV, too? */
bool section_has_text(const char *name);
bool section_has_json(const char *name);

/* Is a section of this name among the words? They may be NULL: then each is. */
bool section_is_among(const char *words, const char *name);

/* Room in a report for what they keep; and what they kept, forgotten. */
void sections_make(struct report *r);
void sections_parcel(struct parcel *p, struct report *r);
void sections_free(struct report *r);
