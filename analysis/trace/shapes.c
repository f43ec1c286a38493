#include "analysis/trace/shapes.h"

#include <stdio.h>

#include "analysis/trace/event_fields.h"

static void dimensions(struct out *o, const struct def_tensor *t)
{
	out_char(o, '[');
	for (uint8_t i = 0; i < t->dimensions; i++) {
		if (i)
			out_char(o, ',');
		out_i64(o, t->dimension[i]);
	}
	out_char(o, ']');
}

/* Of a list: a comma before all but the first. */
static void between(struct out *o, uint32_t i)
{
	if (i)
		out_char(o, ',');
}

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
	char text[SHAPES_TENSORS * 256];

	shapes_line(text, sizeof(text), shapes);
	out_text(o, text);
}

void shapes_json(struct out *o, const struct shapes *shapes)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		const struct def_tensor *t = &shapes->tensors[i];

		between(o, i);
		out_text(o, "{\"type\":\"");
		out_text(o, data_words[t->type]);
		out_text(o, "\",\"format\":\"");
		out_text(o, format_words[t->format]);
		out_text(o, "\",\"dims\":");
		dimensions(o, t);
		out_char(o, '}');
	}
	out_char(o, ']');
}

static void words(struct out *o, const struct shapes *shapes, bool formats)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		const struct def_tensor *t = &shapes->tensors[i];

		between(o, i);
		out_char(o, '"');
		out_text(o, formats ? format_words[t->format] : data_words[t->type]);
		out_char(o, '"');
	}
	out_char(o, ']');
}

void shapes_arguments(struct records *r, bool *first, const struct shapes *shapes)
{
	records_argument(r, first, "Input Dims");
	out_char(r->out, '[');
	for (uint32_t i = 0; i < shapes->def.tensors; i++) {
		between(r->out, i);
		dimensions(r->out, &shapes->tensors[i]);
	}
	out_char(r->out, ']');
	records_argument(r, first, "Input type");
	words(r->out, shapes, false);
	records_argument(r, first, "Input Formats");
	words(r->out, shapes, true);
}
