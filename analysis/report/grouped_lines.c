#include "analysis/report/grouped_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"

static bool is_it(const struct grouped_line *line, const char *text, size_t size)
{
	return line->size == size && !memcmp(line->text, text, size);
}

/* Of many ranks each may have lines of its own: they are not looked through. */
static struct grouped_line *line_of(struct grouped_lines *f, const char *text, size_t size)
{
	uint32_t *number;

	if (!f->by_text.item_size)
		f->by_text = TABLE(uint32_t);
	number = table_put(&f->by_text, table_text_key(text, size));
	if (*number && is_it(&f->lines[*number - 1], text, size))
		return &f->lines[*number - 1];
	if (f->count == f->room) {
		f->room = f->room ? 2 * f->room : 8;
		f->lines = alloc_grow(f->lines, f->room, sizeof(*f->lines));
	}
	f->lines[f->count++] = (struct grouped_line){ .text = alloc_text(text, size), .size = size };
	*number = (uint32_t)f->count;
	return &f->lines[f->count - 1];
}

void grouped_lines_add(struct grouped_lines *f, const struct report *r, const char *text, size_t size)
{
	struct grouped_line *line = line_of(f, text, size);

	if (line->count == line->room) {
		line->room = line->room ? 2 * line->room : 4;
		line->who = alloc_grow(line->who, line->room, sizeof(struct report *));
	}
	line->who[line->count++] = r;
}

void grouped_lines_take(struct grouped_lines *f, grouped_line_of *line, const struct report *r)
{
	static struct out text = { .fd = -1 };

	text.used = 0;
	line(&text, r);
	if (text.used)
		grouped_lines_add(f, r, text.buffer, text.used);
}

static void put_ranks(struct out *o, const struct grouped_line *line)
{
	struct rank_of_group *ranks = alloc_zero(line->count, sizeof(*ranks));
	size_t count = 0;
	char *text;

	for (size_t i = 0; i < line->count; i++) {
		const struct report *r = line->who[i];

		if (r->has_rank)
			ranks[count++] = (struct rank_of_group){ r->rank, r->grouped ? report_fact(r, "worker_group") : "" };
	}
	text = rank_list_of_groups(ranks, count);
	out_clean(o, text);
	free(text);
	free(ranks);
}

static void put_pids(struct out *o, const struct grouped_line *line, const char *before)
{
	int64_t *pids = alloc_zero(line->count, sizeof(*pids));
	size_t count = 0;
	char *text;

	for (size_t i = 0; i < line->count; i++)
		if (!line->who[i]->has_rank)
			pids[count++] = (int64_t)line->who[i]->pid;
	text = rank_list("pid", pids, count);
	if (count)
		out_format(o, "%s%s (rank unknown)", before, text);
	free(text);
	free(pids);
}

bool grouped_lines_print(struct grouped_lines *f, struct out *o)
{
	bool some = f->count;

	for (size_t i = 0; i < f->count; i++) {
		struct grouped_line *line = &f->lines[i];

		/* "rank 3: ", "ranks 0-199: ", "pids 12, 40 (rank unknown): ", or ranks and pids */
		put_ranks(o, line);
		put_pids(o, line, line->who[0]->has_rank ? ", " : "");
		/* A line that begins with a number counts, and what it counts is of one process. */
		out_text(o, line->count > 1 && isdigit((unsigned char)line->text[0]) ? ", each: " : ": ");
		out_text(o, line->text);
		free(line->text);
		free(line->who);
	}
	free(f->lines);
	table_free(&f->by_text);
	*f = (struct grouped_lines){ 0 };
	return some;
}
