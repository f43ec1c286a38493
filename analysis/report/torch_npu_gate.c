/* torch_npu_gate.c - section: what torch_npu may have told, and what not: which of its gates were open (fact ascend_gate), whose stacks its queue hides. */
#include <string.h>

#include "analysis/report/grouped_lines.h"
#include "analysis/report/section.h"
#include "analysis/report/stacks.h"

static const struct {
	const char *word, *sentence;
} gates[] = {
	{ "markers", "markers; for its allocator's memory give --torch-npu-markers allocator\n" },
	{ "ask", "markers inside windows; for its allocator's memory give --torch-npu-markers "
		 "allocator\n" },
	{ "allocator", "its allocator's memory (with memory in --contents), no markers; for "
		       "markers give --torch-npu-markers markers\n" },
	{ "both", "its allocator's memory (with memory in --contents), markers up to 26.0 only\n" },
	{ "none", "nothing, because --torch-npu-markers none was given\n" },
};

/* The gate that stands open; "ask" does not where nobody asks. */
static const char *sentence(const struct key_values *f)
{
	const char *gate = key_values_get(f, "ascend_gate"), *note = key_values_get(f, "note");

	if (!key_values_get(f, "torch_npu"))
		return NULL;
	if (gate && note && !strcmp(gate, "ask") && strstr(note, "gate-unasked"))
		return "no markers, because this torch_npu does not ask whether they are wanted: "
		       "give --torch-npu-markers markers\n";
	for (size_t k = 0; gate && k < sizeof(gates) / sizeof(gates[0]); k++)
		if (!strcmp(gate, gates[k].word))
			return gates[k].sentence;
	return NULL;
}

static void gate_line(struct out *o, const struct report *r)
{
	const char *line = sentence(&r->facts);

	if (line)
		out_text(o, line);
}

static void queue_line(struct out *o, const struct report *r)
{
	const struct stack_counts *stacks = r->sections[SECTION_stacks];

	if (key_values_get(&r->facts, "torch_npu") && stacks->without[STACK_IN_QUEUE])
		out_text(o, "no stacks of calls that its queue makes: with TASK_QUEUE_ENABLE=1 its operators have theirs, with 0 all calls\n");
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct grouped_lines all = { 0 };

	(void)top;
	for (size_t i = 0; i < count; i++) {
		grouped_lines_take(&all, gate_line, &reports[i]);
		grouped_lines_take(&all, queue_line, &reports[i]);
	}
	if (all.count)
		out_text(o, "\nWhat torch_npu could tell\n");
	grouped_lines_print(&all, o);
}

const struct section torch_npu_gate_section = { .text = text };
