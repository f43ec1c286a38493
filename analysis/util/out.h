/* out.h - buffered text to a file descriptor, fast enough for millions of lines. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct packer;

#define OUT_BUFFER (64u << 10)

struct out {
	int fd;
	int error;	       /* errno of the first write that failed; later ones are not tried */
	struct packer *packer; /* NULL: written as it is */
	uint64_t written;      /* bytes in the file */
	uint64_t limit;	       /* of them; beyond, error is EFBIG; 0: none */
	size_t used;
	char buffer[OUT_BUFFER];
};

void out_flush(struct out *o);

/* What comes now is a piece of its own, for who packs it. */
void out_end_piece(struct out *o);
void out_packed(struct out *o, const char *data, size_t size); /* that need not be packed any more; behind a piece's end */
void out_moved(struct out *o, int error);		       /* a fork of ours wrote to the same descriptor, and met this error, or 0 */
void out_written(struct out *o, uint64_t size);		       /* so much stands in the file that somebody else put there */
void out_more(struct out *o, const char *text, size_t size);   /* than the buffer has room for */

static inline void out_bytes(struct out *o, const char *text, size_t size)
{
	if (size > sizeof(o->buffer) - o->used) {
		out_more(o, text, size);
		return;
	}
	memcpy(o->buffer + o->used, text, size);
	o->used += size;
}

/* In line: the length of a literal is known when this is compiled. */
static inline void out_text(struct out *o, const char *text)
{
	out_bytes(o, text, strlen(text));
}

void out_u64(struct out *o, uint64_t n);
void out_i64(struct out *o, int64_t n);
void out_digits(struct out *o, uint64_t n, unsigned int count); /* the last ones, 20 at most */
void out_hex(struct out *o, uint64_t n);			/* 0x... */
void out_micro(struct out *o, uint64_t ns);			/* microseconds with three decimals */
/* What stands in a file may be among the values: control characters but the end of a line come out as '?'. */
void out_format(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

void out_pad(struct out *o, size_t count); /* spaces */

/* Without its control characters: what a program calls its kernels must not move our cursor. */
void out_clean(struct out *o, const char *text);

/* The same where nothing but UTF-8 is taken. */
void out_utf8(struct out *o, const char *text);

/* A cell of a table: in quotation marks where it needs them (RFC 4180); what is no text becomes '?'. NULL: nothing. */
void out_csv(struct out *o, const char *text);

/* A JSON string with its quotes; bytes that are no UTF-8 become '?'. */
void out_json(struct out *o, const char *text);

/* The same without any \u or \n: Perfetto shows escapes as they stand. */
void out_json_plain(struct out *o, const char *text);

/* A member of a JSON object that is not its first: ,"name": and the number. */
void out_json_key(struct out *o, const char *name);
void out_json_number(struct out *o, const char *name, uint64_t n);
void out_json_signed(struct out *o, const char *name, int64_t n);
void out_json_truth(struct out *o, const char *name, bool yes);
void out_json_text(struct out *o, const char *name, const char *text); /* NULL: null */

static inline void out_char(struct out *o, char c)
{
	if (o->used == sizeof(o->buffer))
		out_flush(o);
	o->buffer[o->used++] = c;
}

/* Between the items of a JSON list: before all but the first. */
static inline void out_json_comma(struct out *o, size_t i)
{
	if (i)
		out_char(o, ',');
}
