#include "analysis/html/blocks.h"

/* U+2028 and U+2029, which end a line of JavaScript: e2 80 a8, e2 80 a9. */
static bool ends_line(const char *text, size_t left)
{
	return left >= 3 && !memcmp(text, "\xe2\x80", 2) && ((unsigned char)text[2] & 0xfe) == 0xa8;
}

static bool is_of_html(char c)
{
	return c == '<' || c == '>' || c == '&';
}

size_t block_text_size(const char *text, size_t length)
{
	size_t size = 2;

	for (size_t i = 0; i < length; i++)
		size += is_of_html(text[i]) || (unsigned char)text[i] < ' ' || ends_line(text + i, length - i) ? 6 : text[i] == '"' || text[i] == '\\' ? 2
																		       : 1;
	return size;
}

void block_put_json(struct out *o, const char *json, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	size_t from = 0;

	for (size_t i = 0; i < size; i++) {
		bool line = ends_line(json + i, size - i);

		if (!line && !is_of_html(json[i]))
			continue;
		out_bytes(o, json + from, i - from);
		if (line) {
			out_text(o, json[i + 2] & 1 ? "\\u2029" : "\\u2028");
			i += 2;
		} else {
			out_text(o, "\\u00");
			out_char(o, digits[json[i] >> 4]);
			out_char(o, digits[json[i] & 15]);
		}
		from = i + 1;
	}
	out_bytes(o, json + from, size - from);
}

void block_put_base64(struct out *o, const unsigned char *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		size_t left = size - i;
		unsigned int three = (unsigned int)bytes[i] << 16 | (left > 1 ? (unsigned int)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);

		out_char(o, digits[three >> 18]);
		out_char(o, digits[three >> 12 & 63]);
		out_char(o, left > 1 ? digits[three >> 6 & 63] : '=');
		out_char(o, left > 2 ? digits[three & 63] : '=');
	}
}
