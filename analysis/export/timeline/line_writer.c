#include "analysis/export/timeline/line_writer.h"

#define FIRST_TRACK (1u << 23) /* above all threads' numbers, which are below 2^22, and those of streams */

static uint32_t next_track(struct line_writer *w)
{
	return FIRST_TRACK + ++w->tracks;
}

uint32_t line_track(struct line_writer *w, uint32_t pid, const char *title, int64_t index)
{
	uint32_t tid = next_track(w);

	w->format->track(w, pid, tid, title, index);
	return tid;
}

void line_count(struct line_writer *w, struct counter *c, uint64_t ns, uint64_t value)
{
	if (!c->tid) {
		c->tid = next_track(w);
		w->format->counter(w, c);
	}
	w->format->count(w, c, ns, value);
}

/* Ids are one name space for a file: the process above 48 bits, the kind above that. */
void line_arrow(struct line_writer *w, enum arrow kind, bool ends, uint64_t n)
{
	w->format->arrow(w, kind, ends, (uint64_t)(ARROW_COUNT - kind - 1) << 62 | (uint64_t)(w->number & 0x3fff) << 48 | n);
}

void line_fields(struct line_writer *w, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fields[i].text)
			w->format->text(w, fields[i].key, fields[i].text);
		else
			w->format->number(w, fields[i].key, fields[i].number);
	}
}

void line_step(struct line_writer *w, int64_t step)
{
	if (step != STEP_NULL)
		w->format->number(w, "step", step);
}

/* 64x8x1: each launch has one, so it is made by hand, from its end. */
static void put_sizes(struct line_writer *w, const char *key, const uint64_t *n, uint32_t count)
{
	char text[3 * 24], *p = text + sizeof(text);

	*--p = '\0';
	for (uint32_t i = count; i--;) {
		uint64_t rest = n[i];

		do
			*--p = (char)('0' + rest % 10);
		while (rest /= 10);
		if (i)
			*--p = 'x';
	}
	w->format->text(w, key, p);
}

void line_launch(struct line_writer *w, const struct launch *launch)
{
	if (!launch)
		return;
	if (launch->name)
		w->format->text(w, "kernel", launch->name);
	if (launch->def.dimensions)
		put_sizes(w, "global", launch->def.global, launch->def.dimensions);
	if (launch->def.dimensions && launch->def.has_local)
		put_sizes(w, "local", launch->def.local, launch->def.dimensions);
}
