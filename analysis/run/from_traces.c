#include "analysis/run/from_traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/failures.h"
#include "analysis/trace/results.h"
#include "analysis/util/trace_paths.h"

static void take_event(void *context, const struct trace_event *ev)
{
	if (ev->result)
		failures_take(context, ev);
}

static void note_failures(struct run_process *to, struct process *p)
{
	struct failures failures;
	struct visitor v = { .event = take_event, .context = &failures };
	struct failure *list;
	const char *meaning;
	size_t n;

	failures_init(&failures);
	process_events(p, &v);
	to->failed = (int64_t)failures.total;
	list = failures_hand_over(&failures, &n);
	meaning = n ? result_name(list[0].name, list[0].result) : NULL;
	if (n)
		snprintf(to->failure, sizeof(to->failure), "%.128s with %" PRId64 "%s%s", list[0].name, list[0].result, meaning ? " " : "",
			 meaning ? meaning : "");
	free(list);
}

static void note_damage(struct run_process *to, const struct process *p)
{
	for (size_t i = 0; i < p->file_count && !to->broken; i++) {
		if (!trace_file_lost(&p->files[i]))
			continue;
		to->broken = true;
		snprintf(to->damaged, sizeof(to->damaged), "%s", p->files[i].path);
	}
}

void from_traces_inspect(struct run_process *to, struct process *p, bool events)
{
	if (events)
		note_failures(to, p);
	note_damage(to, p);
}

struct run_process *from_traces_find(const struct run *r, const struct process *p)
{
	char name[64];

	/* As the agent ends a file's name. */
	snprintf(name, sizeof(name), "-%" PRIu64 "-%08" PRIx32 ".", p->pid, (uint32_t)p->file_id);
	for (unsigned int i = 0; i < r->count; i++)
		if (strstr(r->processes[i].file, name))
			return &r->processes[i];
	return NULL;
}

bool from_traces_inspect_run(struct run *r, const char *folder)
{
	char *paths[] = { (char *)folder };
	struct trace t;
	bool readable;

	if (!trace_paths_below(folder))
		return true;
	trace_open(&t, paths, 1);
	readable = !t.trouble;
	for (size_t i = 0; i < t.count; i++) {
		struct process *p = &t.processes[i];
		struct run_process *of = from_traces_find(r, p);

		if (of && !process_load(p))
			from_traces_inspect(of, p, true);
		process_unload(p);
	}
	trace_close(&t);
	return readable;
}
