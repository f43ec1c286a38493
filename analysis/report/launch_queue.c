/* launch_queue.c - section: how often PyTorch's own launch queue was waited for (facts queue_waits, queue_wait_ns), and how long. */
#include <inttypes.h>

#include "analysis/report/columns.h"
#include "analysis/report/grouped_lines.h"
#include "analysis/report/section.h"

static void line(struct out *o, const struct report *r)
{
	uint64_t n = key_values_number(&r->facts, "queue_waits", 0);
	char duration[COLUMN];

	if (n)
		out_format(o, "waited for %" PRIu64 " time%s where windows may open or close, %s in all\n", n, n == 1 ? "" : "s",
			   column_duration(key_values_number(&r->facts, "queue_wait_ns", 0), duration));
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct grouped_lines all = { 0 };
	bool any = false;

	(void)top;
	for (size_t i = 0; i < count; i++) {
		any |= key_values_number(&reports[i].facts, "queue_waits", 0) > 0;
		grouped_lines_take(&all, line, &reports[i]);
	}
	if (any)
		out_text(o, "\nLaunch queue of PyTorch\n");
	grouped_lines_print(&all, o);
}

const struct section launch_queue_section = { .text = text };
