/*
 * thread_order TRACE... - copies of 1, 2, 3 ... bytes, thread by thread, as they stand in the files: prints how many threads there
 * are, how many copies, in how many rings, and how many do not follow the one before.
 */
#include <stdio.h>

#include "analysis/trace/trace.h"
#include "analysis/util/table.h"

struct counts {
	uint64_t copies, wrong;
	struct table threads; /* bytes of the last copy, by thread */
	struct table rings;
};

static void take_event(void *context, const struct trace_event *ev)
{
	struct counts *counts = context;
	uint64_t *last = table_put(&counts->threads, ev->tid);

	counts->copies++;
	counts->wrong += ev->bytes != *last + 1;
	*last = ev->bytes;
	table_put(&counts->rings, ev->ring);
}

int main(int argc, char **argv)
{
	struct counts counts = { .threads = TABLE(uint64_t), .rings = TABLE(uint8_t) };
	struct visitor v = { .event = take_event, .context = &counts };
	struct trace t;

	trace_open(&t, argv + 1, argc - 1);
	for (size_t i = 0; i < t.count; i++) {
		if (process_load(&t.processes[i]))
			continue;
		process_events(&t.processes[i], &v);
		process_unload(&t.processes[i]);
	}
	printf("%zu threads, %llu copies, %s, %llu wrong\n", counts.threads.count, (unsigned long long)counts.copies,
	       counts.rings.count > counts.threads.count ? "more rings" : "a ring each", (unsigned long long)counts.wrong);
	table_free(&counts.threads);
	table_free(&counts.rings);
	trace_close(&t);
	return t.trouble;
}
