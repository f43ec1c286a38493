#include "analysis/util/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/util/alloc.h"
#include "analysis/util/packer.h"
#include "config/base/printable.h"

void out_written(struct out *o, uint64_t size)
{
	o->written += size;
	if (o->limit && o->written > o->limit && !o->error)
		o->error = EFBIG;
}

void out_moved(struct out *o, int error)
{
	off_t end = lseek(o->fd, 0, SEEK_CUR);

	if (end > 0)
		o->written = (uint64_t)end;
	if (!o->error)
		o->error = error;
}

static int put(void *context, const char *data, size_t size)
{
	struct out *o = context;

	out_written(o, size);
	for (size_t done = 0; done < size && !o->error;) {
		ssize_t n = write(o->fd, data + done, size - done);

		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno != EINTR)
			o->error = errno;
	}
	return o->error;
}

void out_packed(struct out *o, const char *data, size_t size)
{
	put(o, data, size);
}

static void flush(struct out *o, bool end_piece)
{
	if (!o->packer)
		put(o, o->buffer, o->used);
	else if (!o->error)
		o->error = packer_put(o->packer, o->buffer, o->used, end_piece, put, o);
	o->used = 0;
}

void out_flush(struct out *o)
{
	flush(o, false);
}

void out_end_piece(struct out *o)
{
	flush(o, true);
}

void out_more(struct out *o, const char *text, size_t size)
{
	while (size) {
		size_t room = sizeof(o->buffer) - o->used;
		size_t n = size < room ? size : room;

		memcpy(o->buffer + o->used, text, n);
		o->used += n;
		text += n;
		size -= n;
		if (o->used == sizeof(o->buffer))
			out_flush(o);
	}
}

/* "00", "01" ... "99": two digits a division. */
#define PAIR(n)	 '0' + (n) / 10, '0' + (n) % 10
#define PAIRS(n) PAIR(n), PAIR((n) + 1), PAIR((n) + 2), PAIR((n) + 3), PAIR((n) + 4), \
		 PAIR((n) + 5), PAIR((n) + 6), PAIR((n) + 7), PAIR((n) + 8), PAIR((n) + 9)
static const char pairs[200] = { PAIRS(0), PAIRS(10), PAIRS(20), PAIRS(30), PAIRS(40),
				 PAIRS(50), PAIRS(60), PAIRS(70), PAIRS(80), PAIRS(90) };

void out_u64(struct out *o, uint64_t n)
{
	char digits[20], *p = digits + sizeof(digits);

	for (; n >= 100; n /= 100)
		memcpy(p -= 2, &pairs[n % 100 * 2], 2);
	if (n >= 10)
		memcpy(p -= 2, &pairs[n * 2], 2);
	else
		*--p = (char)('0' + n);
	out_bytes(o, p, (size_t)(digits + sizeof(digits) - p));
}

void out_i64(struct out *o, int64_t n)
{
	if (n < 0)
		out_char(o, '-');
	out_u64(o, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

void out_hex(struct out *o, uint64_t n)
{
	char digits[16], *p = digits + sizeof(digits);

	do
		*--p = "0123456789abcdef"[n & 15];
	while (n >>= 4);
	out_text(o, "0x");
	out_bytes(o, p, (size_t)(digits + sizeof(digits) - p));
}

void out_digits(struct out *o, uint64_t n, unsigned int count)
{
	char digits[20];

	for (unsigned int i = count; i--; n /= 10)
		digits[i] = (char)('0' + n % 10);
	out_bytes(o, digits, count);
}

void out_micro(struct out *o, uint64_t ns)
{
	out_u64(o, ns / 1000);
	out_char(o, '.');
	out_digits(o, ns % 1000, 3);
}

/* utf8: a byte that is none is shown as what may not be. */
static void clean(struct out *o, const char *text, bool lines, bool utf8)
{
	size_t n = 0, fine, bad;

	while (text[n]) {
		if (text[n] >= ' ' && text[n] < 0x7f) { /* nearly all of them */
			n++;
			continue;
		}
		fine = lines && text[n] == '\n' ? 1 : printable(text + n);
		if (utf8 && !utf8_read(text + n, &(uint32_t){ 0 }))
			fine = 0;
		n += fine;
		if (fine)
			continue;
		out_bytes(o, text, n);
		out_char(o, '?');
		bad = unprintable(text + n);
		text += n + (bad ? bad : 1);
		n = 0;
	}
	out_bytes(o, text, n);
}

void out_format(struct out *o, const char *format, ...)
{
	char line[512], *text = line;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (n >= (int)sizeof(line)) {
		text = alloc_zero((size_t)n + 1, 1);
		va_start(args, format);
		vsnprintf(text, (size_t)n + 1, format, args);
		va_end(args);
	}
	if (n > 0)
		clean(o, text, true, false);
	if (text != line)
		free(text);
}

void out_pad(struct out *o, size_t count)
{
	static const char spaces[] = "                                ";

	for (; count >= sizeof(spaces); count -= sizeof(spaces) - 1)
		out_text(o, spaces);
	out_bytes(o, spaces, count);
}

void out_clean(struct out *o, const char *text)
{
	clean(o, text, false, false);
}

void out_utf8(struct out *o, const char *text)
{
	clean(o, text, false, true);
}

/* How many bytes from here on may stand in a JSON string as they are. */
static size_t plain_run(const unsigned char *p)
{
	static const bool special[256] = {
		[0 ... ' ' - 1] = true,
		['"'] = true,
		['\\'] = true,
		[0x7f] = true,
		[0x80 ... 0xff] = true,
	};
	size_t n = 0;

	while (!special[p[n]])
		n++;
	return n;
}

/* One character that needs more than copying; returns how many bytes it takes up in the text. */
static size_t json_character(struct out *o, const unsigned char *p, bool plain)
{
	const char *text = (const char *)p;
	uint32_t code;
	size_t n = utf8_read(text, &code);

	if (!n || (plain && unprintable(text)))
		out_char(o, '?');
	else if (unprintable(text))
		out_format(o, "\\u%04x", code); /* all of them are below U+10000 */
	else if (*p == '"' || *p == '\\')
		out_bytes(o, (const char[]){ '\\', (char)*p }, 2);
	else
		out_bytes(o, text, n);
	return n ? n : 1;
}

static void json(struct out *o, const char *text, bool plain)
{
	const unsigned char *p = (const unsigned char *)text;

	out_char(o, '"');
	while (*p) {
		size_t n = plain_run(p);

		out_bytes(o, (const char *)p, n);
		p += n;
		if (*p)
			p += json_character(o, p, plain);
	}
	out_char(o, '"');
}

void out_json(struct out *o, const char *text)
{
	json(o, text, false);
}

void out_json_plain(struct out *o, const char *text)
{
	json(o, text, true);
}

void out_json_key(struct out *o, const char *name)
{
	out_text(o, ",\"");
	out_text(o, name);
	out_text(o, "\":");
}

void out_json_number(struct out *o, const char *name, uint64_t n)
{
	out_json_key(o, name);
	out_u64(o, n);
}

void out_json_signed(struct out *o, const char *name, int64_t n)
{
	out_json_key(o, name);
	out_i64(o, n);
}

void out_json_truth(struct out *o, const char *name, bool yes)
{
	out_json_key(o, name);
	out_text(o, yes ? "true" : "false");
}

void out_json_text(struct out *o, const char *name, const char *text)
{
	out_json_key(o, name);
	if (text)
		out_json(o, text);
	else
		out_text(o, "null");
}

static bool is_plain_cell(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~' || *text == ',' || *text == '"')
			return false;
	return true;
}

void out_csv(struct out *o, const char *text)
{
	if (!text || is_plain_cell(text)) {
		out_text(o, text ? text : "");
		return;
	}
	out_char(o, '"');
	for (size_t n; *text; text += n ? n : 1) {
		n = utf8_read(text, &(uint32_t){ 0 });
		if (*text == '"')
			out_char(o, '"');
		if (!n || unprintable(text))
			out_char(o, '?');
		else
			out_bytes(o, text, n);
	}
	out_char(o, '"');
}
