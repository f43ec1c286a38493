/* page.h - one self-contained HTML file: what report and why say of a run, and its events. */
#pragma once
#include "analysis/html/events.h"
#include "analysis/report/reports.h"
#include "analysis/why/why.h"

struct page {
	const struct reports *reports;
	const struct why_answer *why;
	struct events *events;
};

/* False: not all could be put together, which was said on stderr. */
bool page_put(struct out *o, const struct page *page);
