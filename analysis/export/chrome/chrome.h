/* chrome.h - the time line in Chrome's JSON trace format (chrome://tracing, ui.perfetto.dev). */
#pragma once
#include "analysis/trace/choice.h"
#include "analysis/trace/trace.h"
#include "analysis/util/out.h"

struct exported {
	size_t ranks;	 /* processes that were asked for */
	uint64_t events; /* of the steps that were asked for */
	bool whole;	 /* nothing of it is missing */
};

/* o->error tells about writing. */
struct exported chrome_export(struct out *o, struct trace *t, const struct choice *choice, void (*shown)(size_t done, size_t all));
