#include "analysis/check/calls_now.h"

#include <inttypes.h>
#include <stdio.h>

#include "agent/format/trace_file.h"

void calls_now_say(const struct session_entry *e, const struct recovered *found, const char *prefix)
{
	for (size_t i = 0; i < found->call_count; i++) {
		const struct recovered_call *c = &found->calls[i];

		printf("%sthread %u is inside %s", prefix, c->tid, c->hook);
		if (e->status->last_step != STEP_NULL)
			printf(" in step %" PRId64, (int64_t)e->status->last_step);
		if (c->seconds >= 0)
			printf(", entered %.3f s ago", c->seconds);
		putchar('\n');
	}
}
