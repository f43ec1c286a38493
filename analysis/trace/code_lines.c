#include "analysis/trace/code_lines.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/sorted.h"

#define MARK_EVERY 64 /* entries */

/* Before an entry is read: where it stands, the byte of code that it begins at, and the line that it counts from. */
struct line_mark {
	size_t place;
	uint64_t at;
	int64_t line;
};

/* What the last entry said. */
struct walk {
	const struct code_lines *of;
	struct line_mark next;
	uint64_t end; /* of the bytes of code that are of this line, */
	int64_t line; /* which is none if it is not greater than 0 */
};

static uint8_t byte_at(const struct walk *w, size_t place)
{
	return place < w->of->size ? w->of->table[place] : 0;
}

/* Both as CPython has them: bytes of code, then by how many lines it goes on. The line counts from behind these bytes. */
static void take_3_8(struct walk *w)
{
	w->end = w->next.at += byte_at(w, w->next.place);
	w->line = w->next.line;
	w->next.line += (int8_t)byte_at(w, w->next.place + 1);
	w->next.place += 2;
}

/* The line is that of these bytes; -128: they have none. */
static void take_3_10(struct walk *w)
{
	int8_t lines = (int8_t)byte_at(w, w->next.place + 1);

	w->end = w->next.at += byte_at(w, w->next.place);
	if (lines != INT8_MIN)
		w->next.line += lines;
	w->line = lines == INT8_MIN ? 0 : w->next.line;
	w->next.place += 2;
}

/* Six bits a byte, lowest first; the lowest of all is the sign. */
static int64_t signed_varint(const struct walk *w, size_t place)
{
	uint64_t n = 0;

	for (unsigned int shift = 0; shift < 36; shift += 6) {
		uint8_t byte = byte_at(w, place++);

		n |= (uint64_t)(byte & 63) << shift;
		if (!(byte & 64))
			break;
	}
	return n & 1 ? -(int64_t)(n >> 1) : (int64_t)(n >> 1);
}

/* How an entry of 3.11 tells its line; columns are left out. */
enum { ONE_LINE = 10, /* and the two behind: so many lines on */
       NO_COLUMNS = 13,
       LONG,
       NO_LINE };

/* An entry begins with the highest bit set: four bits how it is told, three the instructions less 1. */
static void take_3_11(struct walk *w)
{
	uint8_t head = byte_at(w, w->next.place);
	unsigned int how = head >> 3 & 15;

	if (how == LONG || how == NO_COLUMNS)
		w->next.line += signed_varint(w, w->next.place + 1);
	else if (how >= ONE_LINE && how < NO_COLUMNS)
		w->next.line += how - ONE_LINE;
	w->line = how == NO_LINE ? 0 : w->next.line;
	w->end = w->next.at += 2 * (uint64_t)((head & 7) + 1);
	while (++w->next.place < w->of->size && !(w->of->table[w->next.place] & 128))
		;
}

static bool next_entry(struct walk *w)
{
	if (w->next.place >= w->of->size)
		return false;
	if (w->of->form == LINES_3_8)
		take_3_8(w);
	else if (w->of->form == LINES_3_10)
		take_3_10(w);
	else
		take_3_11(w);
	return true;
}

static void add_mark(struct code_lines *l, const struct line_mark *mark)
{
	if (l->mark_count == l->mark_capacity) {
		l->mark_capacity = 2 * l->mark_capacity + 4;
		l->marks = alloc_grow(l->marks, l->mark_capacity, sizeof(*l->marks));
	}
	l->marks[l->mark_count++] = *mark;
}

static void make_marks(struct code_lines *l)
{
	struct walk w = { .of = l, .next = { .line = l->first_line } };
	size_t entries = 0;

	do
		if (entries++ % MARK_EVERY == 0)
			add_mark(l, &w.next);
	while (next_entry(&w));
}

/* The last one that begins there or before. */
static const struct line_mark *mark_before(const struct code_lines *l, uint64_t at)
{
	size_t begun = SORTED_UP_TO(at, l->marks, at, l->mark_count);

	return &l->marks[begun ? begun - 1 : 0];
}

uint32_t code_lines_find(struct code_lines *l, uint64_t at)
{
	struct walk w = { .of = l };

	if (l->form == LINES_NONE)
		return 0;
	if (!l->mark_count)
		make_marks(l);
	w.next = *mark_before(l, at);
	while (next_entry(&w))
		if (at < w.end)
			return w.line > 0 && w.line <= UINT32_MAX ? (uint32_t)w.line : 0;
	/* Of the oldest form the last line goes on to the end of the code. */
	return l->form == LINES_3_8 && !l->cut && w.next.line > 0 && w.next.line <= UINT32_MAX ? (uint32_t)w.next.line : 0;
}

void code_lines_free(struct code_lines *l)
{
	free(l->table);
	free(l->marks);
}
