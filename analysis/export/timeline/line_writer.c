#include "analysis/export/timeline/line_writer.h"

#include <string.h>

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

void line_passing_slice(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t begin, uint64_t duration)
{
	w->passing = true;
	w->format->slice(w, pid, tid, title, category, begin, duration);
	w->passing = false;
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

/* 64x8x1, made by hand, from its end. */
static void make_sizes(char *text, size_t room, const uint64_t *n, uint32_t count)
{
	char made[3 * 24], *p = made + sizeof(made);

	*--p = '\0';
	for (uint32_t i = count; i--;) {
		uint64_t rest = n[i];

		do
			*--p = (char)('0' + rest % 10);
		while (rest /= 10);
		if (i)
			*--p = 'x';
	}
	memcpy(text, p, (size_t)(made + sizeof(made) - p) < room ? (size_t)(made + sizeof(made) - p) : room);
}

/* Most launches are of few definitions: what was made is kept for the next one, and stays until it is made anew. */
static void put_sizes(struct line_writer *w, const struct launch *launch)
{
	struct line_sizes *s = &w->sizes[((uintptr_t)launch >> 5) % LINE_SIZES];

	if (s->launch != launch) {
		s->launch = launch;
		make_sizes(s->global, sizeof(s->global), launch->def.global, launch->def.dimensions);
		make_sizes(s->local, sizeof(s->local), launch->def.local, launch->def.dimensions);
		w->passing = true;
	}
	w->format->text(w, "global", s->global);
	if (launch->def.has_local)
		w->format->text(w, "local", s->local);
	w->passing = false;
}

void line_launch(struct line_writer *w, const struct launch *launch)
{
	if (!launch)
		return;
	if (launch->name)
		w->format->text(w, "kernel", launch->name);
	if (launch->def.dimensions)
		put_sizes(w, launch);
	if (launch->has_shared)
		w->format->number(w, "shared_memory", (int64_t)launch->shared);
	if (!launch->graph)
		return;
	w->format->number(w, "nodes", launch->graph->def.nodes);
	w->format->text(w, "kernels", launch->graph->line);
}

void line_restart(struct line_writer *w, uint32_t number)
{
	w->number = number;
	w->tracks = 0;
	memset(w->sizes, 0, sizeof(w->sizes));
	w->format->restart(w);
}
