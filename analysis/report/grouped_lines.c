#include "analysis/report/grouped_lines.h"

#include <ctype.h>
#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"

void grouped_lines_add(struct grouped_lines *f, const struct report *r, const char *text, size_t size)
{
	struct grouped_line *line;
	size_t i;

	for (i = 0; i < f->count; i++)
		if (strlen(f->lines[i].text) == size && !memcmp(f->lines[i].text, text, size))
			break;
	if (i == f->count) {
		f->lines = alloc_grow(f->lines, ++f->count, sizeof(*f->lines));
		f->lines[i] = (struct grouped_line){ .text = alloc_text(text, size) };
	}
	line = &f->lines[i];
	line->who = alloc_grow(line->who, line->count + 1, sizeof(struct report *));
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

/* "rank 3: ", "ranks 0-199: ", "pids 12, 40 (rank unknown): ", or ranks and pids */
static void put_numbers(struct out *o, const struct grouped_line *line, bool ranks, const char *before)
{
	int64_t *numbers = alloc_zero(line->count, sizeof(*numbers));
	size_t count = 0;
	char *text;

	for (size_t i = 0; i < line->count; i++) {
		const struct report *r = line->who[i];

		if (r->has_rank == ranks)
			numbers[count++] = ranks ? r->rank : (int64_t)r->pid;
	}
	text = rank_list(ranks ? "rank" : "pid", numbers, count);
	if (count)
		out_format(o, "%s%s%s", before, text, ranks ? "" : " (rank unknown)");
	free(text);
	free(numbers);
}

bool grouped_lines_print(struct grouped_lines *f, struct out *o)
{
	bool some = f->count;

	for (size_t i = 0; i < f->count; i++) {
		struct grouped_line *line = &f->lines[i];

		put_numbers(o, line, true, "");
		put_numbers(o, line, false, line->who[0]->has_rank ? ", " : "");
		/* A line that begins with a number counts, and what it counts is of one process. */
		out_text(o, line->count > 1 && isdigit((unsigned char)line->text[0]) ? ", each: " : ": ");
		out_text(o, line->text);
		free(line->text);
		free(line->who);
	}
	free(f->lines);
	*f = (struct grouped_lines){ 0 };
	return some;
}
