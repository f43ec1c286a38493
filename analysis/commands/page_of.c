#include "analysis/commands/page_of.h"

#include "analysis/check/closing_lines.h"
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

bool page_of(struct out *o, const struct arguments *a)
{
	const struct reports_asked asked = { .choice = &a->choice, .paths = a->paths, .path_count = a->count };
	struct why_reading why;
	struct reports reports;
	struct events *events;
	struct trace trace;
	bool whole;

	trace_open(&trace, a->paths, a->count);
	by_run_tell_mixed(&trace, &a->choice, "shown", a->paths, a->count);
	closing_lines_own_name(why.program, sizeof(why.program));
	whole = reports_read(&reports, &trace, &asked);
	why_reading_open(&why, &trace, &a->choice, a->paths, a->count, 0);
	whole &= events_read(&events, &trace, &a->choice) && !trace.trouble && reports.count;
	for (size_t i = 0; i < reports.count; i++)
		whole &= !losses_any(&reports.list[i]);
	whole &= page_put(o, &(struct page){ &reports, &why.answer, events });
	events_free(events);
	why_reading_close(&why);
	reports_free(&reports);
	trace_close(&trace);
	return whole;
}
