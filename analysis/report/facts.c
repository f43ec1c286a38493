/* facts.c - section: all that the agent wrote down, known to us or not, but for what has a section of its own. */
#include <string.h>

#include "analysis/report/section.h"
#include "analysis/report/unrecorded.h"

static void put_facts(struct out *o, const struct report *r)
{
	size_t n = 0;

	out_json_key(o, "facts");
	out_char(o, '{');
	for (size_t i = 0; i < r->facts.count; i++) {
		const struct key_value *f = &r->facts.list[i];

		if (unrecorded_name(f) || !strcmp(f->key, "library"))
			continue;
		out_json_comma(o, n++);
		out_json(o, f->key);
		out_char(o, ':');
		out_json(o, f->value);
	}
	out_char(o, '}');
}

static void json(struct out *o, const struct report *r)
{
	const char *cause = report_fact(r, "cause");

	out_json_text(o, "cause", *cause ? cause : NULL);
	out_json_truth(o, "max_size_reached", !strcmp(cause, "max-size-reached"));
	put_facts(o, r);
}

const struct section facts_section = { .json = json, .csv = "" };
