/* grouped_lines.h - lines about processes: equal ones are said once, with all whom they are true of. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/table.h"

struct grouped_lines {
	size_t count, room;
	struct table by_text; /* uint32_t: which, + 1 */
	struct grouped_line {
		char *text;
		size_t size, count, room;
		const struct report **who;
	} * lines;
};

void grouped_lines_add(struct grouped_lines *f, const struct report *r, const char *text, size_t size);

/* What may be said of a process: a line, or nothing. take adds it, if it is something. */
typedef void grouped_line_of(struct out *o, const struct report *r);
void grouped_lines_take(struct grouped_lines *f, grouped_line_of *line, const struct report *r);

/* In the order in which they were first added; frees them. false: there was none. */
bool grouped_lines_print(struct grouped_lines *f, struct out *o);
