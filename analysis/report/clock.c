/* clock.c - section: a clock of which short calls, or who looks closely at times, should know (facts clock, tick_hz, counter_ns). */
#include <inttypes.h>

#include "analysis/report/grouped_lines.h"
#include "analysis/report/section.h"

#define FINE_NS 5 /* a tick of this length is shorter than what a recorded call costs */

static void tick_line(struct out *o, const struct report *r)
{
	uint64_t hz = key_values_number(&r->facts, "tick_hz", 0);

	if (hz && hz < 1000000000u / FINE_NS)
		out_format(o, "a tick is %.2g ns: a call that took less has taken 0 or 1 of them\n", 1e9 / (double)hz);
}

static void cost_line(struct out *o, const struct report *r)
{
	uint64_t ns = key_values_number(&r->facts, "counter_ns", 0);

	if (ns)
		out_format(o, "CLOCK_MONOTONIC, as each reading of the processor's counter takes %" PRIu64 " ns here\n", ns);
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct grouped_lines all = { 0 };

	(void)top;
	for (size_t i = 0; i < count; i++) {
		grouped_lines_take(&all, tick_line, &reports[i]);
		grouped_lines_take(&all, cost_line, &reports[i]);
	}
	if (all.count)
		out_text(o, "\nClock\n");
	grouped_lines_print(&all, o);
}

const struct section clock_section = { .text = text };
