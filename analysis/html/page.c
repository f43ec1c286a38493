#include "analysis/html/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/html/blocks.h"
#include "analysis/html/sources.h"
#include "analysis/html/step_matrix.h"
#include "analysis/html/timeline_block.h"
#include "analysis/report/section.h"
#include "analysis/util/alloc.h"
#include "analysis/util/memory_out.h"
#include "analysis/util/sha256.h"

/* Bytes as they stand in the page, where a letter may take six. */
#define PAGE_MOST      ((20u << 20) - 4096)
#define REPORT_MOST    (2u << 20)  /* of all ranks; beyond, the last ones have their steps alone */
#define RANK_MOST      (4u << 20)  /* of a single one; beyond, its steps stand in the list of all steps alone; and if that is not enough, it has these alone */
#define WHY_MOST       (1u << 20)  /* beyond, there is none of it */
#define SENTENCES_MOST (64u << 10) /* before they are written; beyond, the rest is left out */
#define STEPS_MOST     150000	   /* if they have room */
#define TIMELINE_MOST  (13u << 19) /* that steps leave to it, if it may need so much */
#define EVENTS_LEAST   (4u << 20)  /* whatever else there is, before it is written; it is base64, which takes a third more: */
#define BASE64(size)   (((size) + 2) / 3 * 4)

struct making {
	const struct page *page;
	struct bytes events;
	size_t used;	  /* bytes of what stands before them */
	size_t told;	  /* ranks that the report tells of */
	size_t steps;	  /* of all ranks */
	size_t processes; /* of the time line */
	size_t timeline;  /* bytes of what stands of it before its events, about */
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

/* What the command says, as a string. */
static void put_sentences(struct making *m, struct out *o)
{
	static const char rest[] = "...\nThere is no room for the rest: ranktrace why says it\n";
	struct memory_out *said = memory_out_open();
	char *text;
	size_t size;

	m->well &= said != NULL;
	if (!said)
		return;
	why_text(&said->out, m->page->why);
	m->well &= memory_out_read(said);
	size = said->size < SENTENCES_MOST ? said->size : SENTENCES_MOST;
	text = alloc_zero(size + sizeof(rest), 1);
	if (size)
		memcpy(text, said->text, size);
	if (size < said->size)
		memcpy(text + size, rest, sizeof(rest));
	out_json(o, text);
	free(text);
	memory_out_close(said);
}

static void put_steps(struct making *m, struct out *o)
{
	step_matrix_json(o, m->page->reports, m->page->events->first, m->steps);
}

/* What is left of the page for what comes now, if so much comes behind it. */
static size_t room(const struct making *m, size_t behind)
{
	return m->used + behind < PAGE_MOST ? PAGE_MOST - m->used - behind : 0;
}

static void put_timeline(struct making *m, struct out *o)
{
	size_t most = room(m, m->timeline) / 4 * 3;

	m->events.count = 0;
	timeline_block_put(m->page->events, m->processes, most > EVENTS_LEAST ? most : EVENTS_LEAST, o, &m->events);
}

/* ---- blocks ---- */

/* What the page has of it; the caller closes it. NULL: it could not be made. */
static struct memory_out *make_block(struct making *m, void (*put)(struct making *m, struct out *o))
{
	struct memory_out *json = memory_out_open(), *block = memory_out_open();
	bool well = json && block;

	if (well) {
		put(m, &json->out);
		well = memory_out_read(json);
	}
	if (well) {
		block_put_json(&block->out, json->text, json->size);
		well = memory_out_read(block);
	}
	if (json)
		memory_out_close(json);
	if (well)
		return block;
	if (block)
		memory_out_close(block);
	m->well = false;
	return NULL;
}

static void keep_block(struct making *m, struct out *o, const struct memory_out *block)
{
	out_bytes(o, block->text, block->size);
	m->used += block->size;
}

/* It is in the page if it takes no more than that. Returns what it takes. */
static size_t put_block(struct making *m, struct out *o, void (*put)(struct making *m, struct out *o), size_t most)
{
	struct memory_out *block = make_block(m, put);
	size_t size = block ? block->size : 0;

	if (size && size <= most)
		keep_block(m, o, block);
	if (block)
		memory_out_close(block);
	return size;
}

/* So many fit if these take so much; always fewer. */
static size_t fewer(size_t count, size_t most, size_t size)
{
	return (size_t)((double)count * (double)most / (double)size * 0.98);
}

/* Of as many ranks as there is room for; and with their steps, if one alone has room so. */
static void put_report_block(struct making *m, struct out *o)
{
	for (m->told = m->page->reports->count;;) {
		size_t most = m->told > 1 ? REPORT_MOST : RANK_MOST, size = put_block(m, o, put_report, most);

		if (size <= most)
			return;
		if (m->told > 1)
			m->told = fewer(m->told - 1, REPORT_MOST, size) + 1;
		else if (!m->without_steps)
			m->without_steps = true;
		else
			m->told = 0;
	}
}

static void put_steps_block(struct making *m, struct out *o)
{
	size_t behind = m->timeline < TIMELINE_MOST ? m->timeline : TIMELINE_MOST;
	size_t most = room(m, WHY_MOST + 6 * SENTENCES_MOST + behind + BASE64(EVENTS_LEAST)), size;

	for (m->steps = STEPS_MOST; (size = put_block(m, o, put_steps, m->steps ? most : SIZE_MAX)) > most && m->steps;)
		m->steps = fewer(m->steps, most, size);
}

static void put_why_block(struct making *m, struct out *o)
{
	if (put_block(m, o, put_why, WHY_MOST) > WHY_MOST)
		out_text(o, "{\"findings\":[],\"left_out\":true}\n");
}

/* Of as many processes as there is room for. */
static void put_timeline_block(struct making *m, struct out *o)
{
	size_t most = room(m, BASE64(EVENTS_LEAST));
	struct memory_out *block;

	for (m->processes = m->page->events->processes.count; (block = make_block(m, put_timeline));) {
		if (!m->processes || (block->size <= most && BASE64(m->events.count) <= room(m, block->size)))
			break;
		if (block->size > most)
			m->processes = fewer(m->processes, most, block->size);
		else if (block->size > m->timeline)
			m->timeline = block->size;
		else
			m->processes = m->processes * 3 / 4;
		memory_out_close(block);
	}
	if (!block)
		return;
	keep_block(m, o, block);
	memory_out_close(block);
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
		put_why_block(m, o);
	else if (IS("sentences"))
		put_block(m, o, put_sentences, SIZE_MAX);
	else if (IS("steps"))
		put_steps_block(m, o);
	else if (IS("timeline"))
		put_timeline_block(m, o);
	else if (IS("events"))
		block_put_base64(o, m->events.data, m->events.count);
	else if (IS("version"))
		out_text(o, RANKTRACE_VERSION);
#undef IS
}

bool page_put(struct out *o, const struct page *page)
{
	struct making m = { .page = page, .well = true, .timeline = timeline_block_json_size(page->events) };
	const char *at = page_html, *mark;

	m.used = strlen(page_html) + strlen(page_css) + strlen(page_js);
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
