/* chrome.h - the time line in Chrome's JSON trace format (chrome://tracing, ui.perfetto.dev). */
#pragma once
#include "analysis/out.h"
#include "analysis/trace.h"

/* Returns false if something was missing; o->error tells about writing. */
bool chrome_export(struct out *o, struct trace *t, void (*shown)(size_t done, size_t all));
