#include "analysis/commands/page_of.h"

#include "analysis/check/closing_lines.h"
#include "analysis/commands/found.h"
#include "analysis/html/page.h"
#include "analysis/report/by_run.h"
#include "analysis/report/losses.h"
#include "analysis/why/reading.h"

bool page_of_refuses(const struct arguments *a)
{
	if (a->choice.roles)
		fputs("ranktrace: --roles: a page shows whole steps: leave it out; ranktrace report --roles tells of stages\n", stderr);
	return a->choice.roles;
}

/* Events and reports are there. */
static bool put_page(struct out *o, struct trace *t, const struct reports *reports, struct events *events, const struct arguments *a)
{
	struct why_reading why;
	bool whole = !t->trouble;

	closing_lines_own_name(why.program, sizeof(why.program));
	why_reading_open(&why, t, &a->choice, a->paths, a->count, 0);
	for (size_t i = 0; i < reports->count; i++)
		whole &= !losses_any(&reports->list[i]);
	whole &= page_put(o, &(struct page){ reports, &why.answer, events });
	why_reading_close(&why);
	return whole;
}

static enum page_of page_of_events(struct out *o, struct trace *t, const struct reports *reports, const struct arguments *a)
{
	struct events *events;
	bool whole = events_read(&events, t, &a->choice);
	enum page_of done = PAGE_OF_NONE;

	whole &= found_all(t, &a->choice, events->ranks, events->found);
	if (events->found)
		done = put_page(o, t, reports, events, a) && whole ? PAGE_WHOLE : PAGE_LACKS;
	events_free(events);
	return done;
}

enum page_of page_of(struct out *o, const struct arguments *a)
{
	const struct reports_asked asked = { .choice = &a->choice, .paths = a->paths, .path_count = a->count };
	enum page_of done = PAGE_OF_NONE;
	struct reports reports;
	struct trace trace;
	bool whole;

	trace_open(&trace, a->paths, a->count);
	if (trace.count) {
		by_run_tell_mixed(&trace, &a->choice, "shown", a->paths, a->count);
		whole = reports_read(&reports, &trace, &asked);
		if (reports.count)
			done = page_of_events(o, &trace, &reports, a);
		if (done == PAGE_WHOLE && !whole)
			done = PAGE_LACKS;
		reports_free(&reports);
	}
	trace_close(&trace);
	return done;
}
