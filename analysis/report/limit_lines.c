#include "analysis/report/limit_lines.h"

#include <string.h>

/* Every {name} of a sentence is the same number. */
static void put_sentence(struct out *o, const char *sentence, uint64_t n)
{
	const char *open, *end;

	for (; (open = strchr(sentence, '{')); sentence = end + 1) {
		const char *one = open + strcspn(open, ":}"), *many = open + strcspn(open, "|}");

		end = open + strcspn(open, "}");
		out_bytes(o, sentence, (size_t)(open - sentence));
		if (one == end)
			out_u64(o, n);
		else if (n == 1)
			out_bytes(o, one + 1, (size_t)(many - one) - 1);
		else
			out_bytes(o, many + 1, (size_t)(end - many) - 1);
	}
	out_text(o, sentence);
	out_char(o, '\n');
}

static const struct {
	const char *key, *sentence;
} limits[] = {
#define LIMIT(key, sentence) { #key, sentence },
#include "analysis/run/limits.def"
#undef LIMIT
};

bool limit_is_reached(const struct report *r)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (key_values_number(&r->facts, limits[i].key, 0))
			return true;
	return false;
}

void limit_lines(struct out *o, const struct report *r)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		uint64_t n = key_values_number(&r->facts, limits[i].key, 0);

		if (n)
			put_sentence(o, limits[i].sentence, n);
	}
}
