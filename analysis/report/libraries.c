/* libraries.c - section: the vendors' libraries that were seen. */
#include <string.h>

#include "analysis/report/section.h"

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct key_values all = { 0 };

	(void)top;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < reports[i].facts.count; k++) {
			const struct key_value *f = &reports[i].facts.list[k];

			if (!strcmp(f->key, "library"))
				key_values_add(&all, f->key, f->value);
		}
	}
	if (all.count)
		out_text(o, "\nLibraries seen\n");
	for (size_t i = 0; i < all.count; i++) {
		out_clean(o, all.list[i].value);
		out_char(o, '\n');
	}
	key_values_free(&all);
}

static void json(struct out *o, const struct report *r)
{
	size_t n = 0;

	out_json_key(o, "libraries");
	out_char(o, '[');
	for (size_t i = 0; i < r->facts.count; i++) {
		if (strcmp(r->facts.list[i].key, "library"))
			continue;
		out_json_comma(o, n++);
		out_json(o, r->facts.list[i].value);
	}
	out_char(o, ']');
}

const struct section libraries_section = { .text = text, .json = json };
