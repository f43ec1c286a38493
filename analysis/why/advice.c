#include "analysis/why/advice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/report/columns.h"
#include "analysis/util/alloc.h"
#include "analysis/util/shell_word.h"
#include "analysis/why/asked_lines.h"
#include "config/contents.h"

/* Puts a word more behind the line, which grows. */
static char *with(char *line, const char *word)
{
	char *longer = line ? alloc_format("%s %s", line, word) : alloc_format("%s", word);

	free(line);
	return longer;
}

static char *with_quoted(char *line, const char *word)
{
	char *quoted = shell_word(word);

	line = with(line, quoted);
	free(quoted);
	return line;
}

static bool begins_with_dash(const struct why_paths *paths)
{
	for (int i = 0; i < paths->count; i++)
		if (*paths->list[i] == '-')
			return true;
	return false;
}

char *advice_evidence(const struct why_finding *f, const struct cause *c, const struct why_paths *paths)
{
	char at[64], rank[COLUMN];
	char *line = NULL;

	if (!c->longest)
		return NULL;
	snprintf(at, sizeof(at), "%" PRIu64 "+%" PRIu64, c->longest_at, c->longest);
	line = with(with(with_quoted(line, paths->program), "dump --at"), at);
	if (f->rank->report.has_rank)
		line = with(with(line, "--ranks"), column_rank(&f->rank->report, rank));
	if (begins_with_dash(paths))
		line = with(line, "--");
	for (int i = 0; i < paths->count; i++)
		line = with_quoted(line, paths->list[i]);
	return line;
}

#define MORE_BEFORE 3 /* steps to record beside one, before and behind it */
#define MORE_BEHIND 6

/* Which lines of Python made the calls around it would tell what the host did: of an interpreter, as its command names it. */
static bool wants_lines(const struct why_finding *f)
{
	const struct cause *c = f->causes.list;

	return strstr(report_fact(&f->rank->report, "command"), "python") && f->causes.count && asked_lines_may(c) && !c->asked;
}

char *advice_options(const struct why_finding *f, bool alone)
{
	unsigned int contents = contents_of(report_fact(&f->rank->report, "contents")), more = contents | CONTENT_DEVICE | CONTENT_MEMORY | (wants_lines(f) ? CONTENT_MODULE : 0);
	int64_t first = f->step->step > MORE_BEFORE ? f->step->step - MORE_BEFORE : 1;
	char words[128];
	char *line = NULL;

	if (f->reference.count < REFERENCE_LEAST && !f->steps_last && !f->is_slowest) {
		snprintf(words, sizeof(words), "--steps %" PRId64 "-%" PRId64, first, f->step->step + MORE_BEHIND);
		line = with(line, words);
	}
	if (more != contents) {
		contents_text(more, words, sizeof(words));
		line = with(with(line, "--contents"), words);
	}
	if (!why_rank_has_all_calls(f->rank))
		line = with(line, "--level level1");
	return alone ? with(line, "--ranks all") : line;
}
