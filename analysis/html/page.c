#include "analysis/html/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/html/blocks.h"
#include "analysis/html/sources.h"
#include "analysis/html/step_matrix.h"
#include "analysis/html/timeline_block.h"
#include "analysis/report/section.h"
#include "analysis/util/memory_out.h"
#include "analysis/util/sha256.h"

#define PAGE_MOST    (19u << 20) /* bytes, about */
#define REPORT_MOST  (2u << 20)	 /* of all ranks; beyond, the last ones have their steps alone */
#define RANK_MOST    (6u << 20)	 /* of a single one; beyond, its steps stand in the list of all steps alone */
#define EVENTS_LEAST (4u << 20)	 /* whatever else there is */

struct making {
	const struct page *page;
	struct bytes events;
	size_t used; /* bytes of what stands before them */
	size_t told; /* ranks that the report tells of */
	bool without_steps;
	bool well;
};

/* ---- data, each as one JSON text ---- */

/* All words of sections but this one, commas between. */
static const char *words_without(const char *word)
{
	static char words[1024];
	size_t used = 0;

	for (const char *const *w = section_words(); *w; w++)
		if (strcmp(*w, word) != 0 && used < sizeof(words) - 1)
			used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s", used ? "," : "", *w);
	return words;
}

static void put_report(struct making *m, struct out *o)
{
	const struct shown shown = { .top = 10, .only = m->without_steps ? words_without("steps") : NULL };

	report_json(o, m->page->reports->list, m->told, &shown);
}

static void put_why(struct making *m, struct out *o)
{
	why_json(o, m->page->why);
}

static void put_why_sentences(struct making *m, struct out *o)
{
	why_text(o, m->page->why);
}

static void put_steps(struct making *m, struct out *o)
{
	step_matrix_json(o, m->page->reports, m->page->events->first);
}

static void put_timeline(struct making *m, struct out *o)
{
	struct events *e = m->page->events;
	size_t used = m->used + timeline_block_json_size(e);
	size_t room = used < PAGE_MOST ? (PAGE_MOST - used) / 4 * 3 : 0; /* base64 takes a third more */

	timeline_block_put(e, room > EVENTS_LEAST ? room : EVENTS_LEAST, o, &m->events);
}

/* The text as JSON in the page, if it is no larger than that. Returns its size. */
static size_t put_block(struct making *m, struct out *o, void (*put)(struct making *m, struct out *o), size_t most)
{
	struct memory_out *text = memory_out_open();
	size_t size = 0;

	if (text)
		put(m, &text->out);
	if (text && memory_out_read(text)) {
		size = text->size;
		if (size <= most) {
			block_put_json(o, text->text, size);
			m->used += size;
		}
	} else {
		m->well = false;
	}
	if (text)
		memory_out_close(text);
	return size;
}

/* Of as many ranks as there is room for; and with their steps, if one alone has room so. */
static void put_report_block(struct making *m, struct out *o)
{
	size_t most, size;

	for (m->told = m->page->reports->count;;) {
		most = m->without_steps ? SIZE_MAX : m->told > 1 ? REPORT_MOST
								 : RANK_MOST;
		size = put_block(m, o, put_report, most);
		if (size <= most)
			return;
		m->without_steps = m->told == 1;
		m->told = m->told * REPORT_MOST / size ? m->told * REPORT_MOST / size : 1;
	}
}

/* What the command says, in a string. */
static void put_sentences_block(struct making *m, struct out *o)
{
	struct memory_out *text = memory_out_open(), *json = memory_out_open();

	m->well &= text && json;
	if (text && json) {
		put_why_sentences(m, &text->out);
		out_char(&text->out, '\0');
		m->well &= memory_out_read(text);
		out_json(&json->out, text->text ? text->text : "");
		m->well &= memory_out_read(json);
		block_put_json(o, json->text, json->size);
	}
	if (text)
		memory_out_close(text);
	if (json)
		memory_out_close(json);
}

/* ---- the page ---- */

/* A Content-Security-Policy names what may run by its hash: nothing that a trace holds can be that. */
static void put_hash(struct out *o, const char *text)
{
	unsigned char hash[SHA256_SIZE];

	sha256(text, strlen(text), hash);
	out_text(o, "'sha256-");
	block_put_base64(o, hash, sizeof(hash));
	out_char(o, '\'');
}

/* What stands for @word@ in page.html. */
static void put_part(struct making *m, struct out *o, const char *word, size_t length)
{
#define IS(name) (length == strlen(name) && !strncmp(word, name, length))
	if (IS("style"))
		out_text(o, page_css);
	else if (IS("script"))
		out_text(o, page_js);
	else if (IS("style-hash"))
		put_hash(o, page_css);
	else if (IS("script-hash"))
		put_hash(o, page_js);
	else if (IS("report"))
		put_report_block(m, o);
	else if (IS("why"))
		put_block(m, o, put_why, SIZE_MAX);
	else if (IS("sentences"))
		put_sentences_block(m, o);
	else if (IS("steps"))
		put_block(m, o, put_steps, SIZE_MAX);
	else if (IS("timeline"))
		put_block(m, o, put_timeline, SIZE_MAX);
	else if (IS("events"))
		block_put_base64(o, m->events.data, m->events.count);
	else if (IS("version"))
		out_text(o, RANKTRACE_VERSION);
#undef IS
}

bool page_put(struct out *o, const struct page *page)
{
	struct making m = { .page = page, .well = true };
	const char *at = page_html, *mark;

	for (; (mark = strchr(at, '@')); at = mark + 1) {
		size_t length = strcspn(mark + 1, "@");

		out_bytes(o, at, (size_t)(mark - at));
		put_part(&m, o, mark + 1, length);
		mark += length + 1;
	}
	out_text(o, at);
	free(m.events.data);
	return m.well;
}
