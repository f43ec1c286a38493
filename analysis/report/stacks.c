/* stacks.c - section: of how many calls it is known who asked for them, and of the others why not. */
#include "analysis/report/stacks.h"

#include <inttypes.h>

#include "analysis/report/section.h"
#include "analysis/trace/words.h"

static const struct stack_counts *of(const struct report *r)
{
	return r->sections[SECTION_stacks];
}

static void add(struct stack_counts *sum, const struct stack_counts *one)
{
	sum->calls += one->calls;
	sum->python += one->python;
	sum->native += one->native;
	sum->lost += one->lost;
	for (unsigned int i = 0; i <= STACK_OF_COUNT; i++)
		sum->without[i] += one->without[i];
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct stack_counts all = { 0 };

	(void)top;
	for (size_t i = 0; i < count; i++)
		add(&all, of(&reports[i]));
	if (!all.calls)
		return;
	out_format(o, "\nstacks: %" PRIu64 " of %" PRIu64 " calls", all.python, all.calls);
	for (unsigned int i = 0; i <= STACK_OF_COUNT; i++)
		if (all.without[i])
			out_format(o, "; %" PRIu64 " %s", all.without[i], stack_of_texts[i]);
	if (all.lost)
		out_format(o, "; %" PRIu64 " whose definitions are not in the files", all.lost);
	out_char(o, '\n');
}

static void json(struct out *o, const struct report *r)
{
	const struct stack_counts *c = of(r);

	out_text(o, ",\"stacks\":{\"calls\":");
	out_u64(o, c->calls);
	out_json_number(o, "python", c->python);
	out_json_number(o, "native", c->native);
	out_json_number(o, "lost", c->lost);
	for (unsigned int i = 0; i <= STACK_OF_COUNT; i++)
		if (c->without[i])
			out_json_number(o, stack_of_words[i], c->without[i]);
	out_char(o, '}');
}

static void parcel(struct parcel *p, void *kept)
{
	struct stack_counts *c = kept;

	PARCEL_U64S(p, *c);
}

const struct section stacks_section = {
	.kept = sizeof(struct stack_counts),
	.parcel = parcel,
	.text = text,
	.json = json,
};
