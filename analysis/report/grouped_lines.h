/* grouped_lines.h - lines about processes: equal ones are said once, with all whom they are true of. */
#pragma once
#include "analysis/report/report.h"

struct grouped_lines {
	size_t count;
	struct grouped_line {
		char *text;
		size_t count;
		const struct report **who;
	} * lines;
};

void grouped_lines_add(struct grouped_lines *f, const struct report *r, const char *text, size_t size);

/* In the order in which they were first added; frees them. false: there was none. */
bool grouped_lines_print(struct grouped_lines *f, struct out *o);
