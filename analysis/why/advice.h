/* advice.h - what to type next: to see a cause in the trace, and to know more the next time. */
#pragma once
#include "analysis/why/findings.h"

/* How this program was called. */
struct why_paths {
	const char *program; /* as a person types it */
	char *const *list;
	int count;
};

/* The command that shows the cause's longest piece; the caller frees it. NULL: it has none. */
char *advice_evidence(const struct why_finding *f, const struct cause *c, const struct why_paths *paths);

/*
 * Options of a recording that would tell more than the trace can; the caller frees them. NULL: it can. alone: of collectives no other rank was
 * recorded.
 */
char *advice_options(const struct why_finding *f, bool alone);
