#include "analysis/trace/shapes.h"

#include <stdio.h>

#include "analysis/trace/words.h"

void shapes_dimensions(struct out *o, const struct def_tensor *t)
{
	out_char(o, '[');
	for (uint8_t i = 0; i < t->dimensions; i++) {
		out_json_comma(o, i);
		out_i64(o, t->dimension[i]);
	}
	out_char(o, ']');
}

_Static_assert(SHAPES_DIMENSIONS * sizeof("-9223372036854775808") + 64 <= SHAPES_LINE / SHAPES_TENSORS, "a tensor's share of a line");

void shapes_line(char *text, size_t size, const struct shapes *shapes)
{
	size_t n = 0;

#define ADD(...) (n += n < size ? (size_t)snprintf(text + n, size - n, __VA_ARGS__) : 0)
	text[0] = '\0';
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		const struct def_tensor *t = &shapes->tensors[i];

		ADD("%s%s[", i ? ";" : "", data_words[t->type]);
		for (uint8_t d = 0; d < t->dimensions; d++)
			ADD("%s%lld", d ? "," : "", (long long)t->dimension[d]);
		if (t->left_out)
			ADD(",+%u", t->left_out);
		ADD("]");
		if (t->format != FORMAT_ND)
			ADD(":%s", format_words[t->format]);
	}
	if (shapes->def.left_out)
		ADD(";+%u", shapes->def.left_out);
#undef ADD
}

void shapes_text(struct out *o, const struct shapes *shapes)
{
	char text[SHAPES_LINE];

	shapes_line(text, sizeof(text), shapes);
	out_text(o, text);
}

void shapes_json(struct out *o, const struct shapes *shapes)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		const struct def_tensor *t = &shapes->tensors[i];

		out_json_comma(o, i);
		out_text(o, "{\"type\":\"");
		out_text(o, data_words[t->type]);
		out_text(o, "\",\"format\":\"");
		out_text(o, format_words[t->format]);
		out_text(o, "\",\"dims\":");
		shapes_dimensions(o, t);
		out_char(o, '}');
	}
	out_char(o, ']');
}
