/* grouped_lines.h - lines about processes: equal ones are said once, with all whom they are true of. */
#pragma once
#include "analysis/report/report.h"

struct fold {
	size_t count;
	struct fold_line {
		char *text;
		size_t count;
		const struct report **who;
	} * lines;
};

void fold_add(struct fold *f, const struct report *r, const char *text, size_t size);

/* In the order in which they were first added; frees them. false: there was none. */
bool fold_say(struct fold *f, struct out *o);
