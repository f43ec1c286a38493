/* findings.c - what was found in a run: sentences with their values, the same ones of several processes put together. */
#include "analysis/check/findings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/save_path.h"
#include "analysis/launch/vendor.h"
#include "analysis/run/asked_steps.h"
#include "analysis/run/run_totals.h"
#include "analysis/session/recover.h"
#include "analysis/util/alloc.h"
#include "config/base/printable.h"
#include "config/option.h"

/* ---- sentences ---- */

#define VALUE_SIZE    8192
#define SENTENCE_SIZE 16384

static void put_place(const struct run_process *p, char *text)
{
	size_t used;

	if (p->last_step == STEP_NULL)
		snprintf(text, VALUE_SIZE, "before its first step");
	else
		snprintf(text, VALUE_SIZE, "in step %" PRId64, p->last_step);
	used = strlen(text);
	if (p->in_call[0])
		snprintf(text + used, VALUE_SIZE - used, ", inside %s", p->in_call);
}

static bool process_value(const struct run_process *p, const char *name, char *text)
{
	if (!strcmp(name, "place_error") && p->error == EPERM) {
		snprintf(text, VALUE_SIZE, PLACE_REFUSED);
		return true;
	}
	if (!strcmp(name, "error") || !strcmp(name, "place_error")) {
		snprintf(text, VALUE_SIZE, "%s",
			 p->error ? strerror((int)p->error) : "the file does not tell why");
		return true;
	}
	if (!strcmp(name, "signal")) {
		snprintf(text, VALUE_SIZE, "signal %d (%s)", (int)p->signal,
			 strsignal((int)p->signal));
		return true;
	}
	if (!strcmp(name, "ending")) {
		snprintf(text, VALUE_SIZE, "%s", recovered_ending(!strcmp(p->state, "left")));
		return true;
	}
	if (!strcmp(name, "place")) {
		put_place(p, text);
		return true;
	}
	if (!strcmp(name, "save_path") && !p->save_path[0])
		return false; /* only the run's is known */
#define TEXT(field, size)                                                             \
	if (!strcmp(name, #field)) {                                                  \
		snprintf(text, VALUE_SIZE, "%s", p->field[0] ? p->field : "nothing"); \
		return true;                                                          \
	}
#define NUMBER(field)                                             \
	if (!strcmp(name, #field)) {                              \
		snprintf(text, VALUE_SIZE, "%" PRId64, p->field); \
		return true;                                      \
	}
#define MAYBE(field, none)                                                                      \
	if (!strcmp(name, #field)) {                                                            \
		snprintf(text, VALUE_SIZE, p->field == (none) ? "none" : "%" PRId64, p->field); \
		return true;                                                                    \
	}
	if (!strcmp(name, "lost")) {
		snprintf(text, VALUE_SIZE, "%" PRId64, run_lost(p));
		return true;
	}
	PROCESS_FIELDS(TEXT, NUMBER, MAYBE)
	NUMBER(waiting)
	NUMBER(failed)
	TEXT(failure, 0)
	TEXT(damaged, 0)
#undef TEXT
#undef NUMBER
#undef MAYBE
	return false;
}

static bool untraced_value(const struct run_untraced *u, const char *name, char *text)
{
	if (!strcmp(name, "program"))
		snprintf(text, VALUE_SIZE, "%s", u->program);
	else if (!strcmp(name, "library"))
		snprintf(text, VALUE_SIZE, "%s", u->library);
	else if (!strcmp(name, "user"))
		snprintf(text, VALUE_SIZE, "%" PRId64, u->user);
	else
		return false;
	return true;
}

/* The names of the stages that it entered. */
static void stages_text(const struct run_process *p, char *text)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned int i = 0; i < p->stages.count && used < VALUE_SIZE; i++)
		used += (size_t)snprintf(text + used, VALUE_SIZE - used, "%s%s", used ? ", " : "", p->stages.list[i].name);
}

static void put_value(const struct run *r, const struct run_process *p, const char *name,
		      char *text)
{
	enum option_id id = option_find(name);

	if (p && p->untraced && untraced_value(p->untraced, name, text))
		return;
	if (p && process_value(p, name, text))
		return;
	if (p && !strcmp(name, "stages"))
		stages_text(p, text);
	else if (!strcmp(name, "asked_source"))
		option_text(&r->asked, OPTION_step_source, text, VALUE_SIZE);
	else if (!strcmp(name, "steps"))
		asked_steps_text(&r->asked, text, VALUE_SIZE);
	else if (!strcmp(name, "without_preload"))
		launch_without_preload(text, VALUE_SIZE);
	else if (!strcmp(name, "program"))
		snprintf(text, VALUE_SIZE, "%s", r->program);
	else if (!strcmp(name, "exit_status"))
		snprintf(text, VALUE_SIZE, "%" PRId64, r->exit_status);
	else if (!strcmp(name, "run_signal"))
		snprintf(text, VALUE_SIZE, "%" PRId64, r->signal);
	else if (id < OPTIONS)
		option_text(&r->asked, id, text, VALUE_SIZE);
	else
		snprintf(text, VALUE_SIZE, "?");
}

/* {name:one|many}: which of the two words the number wants. */
static void put_word(const struct run *r, const struct run_process *p, char *name, char *text)
{
	char *words = strchr(name, ':'), *many = words ? strchr(words, '|') : NULL;

	if (!many) {
		put_value(r, p, name, text);
		return;
	}
	*words = *many = '\0';
	put_value(r, p, name, text);
	snprintf(text, VALUE_SIZE, "%s", strcmp(text, "1") ? many + 1 : words + 1);
}

/* Puts values for the {names} of a sentence. */
static char *fill(const struct run *r, const struct run_process *p, const char *sentence)
{
	char *text = alloc_zero(SENTENCE_SIZE, 1), *value = alloc_zero(VALUE_SIZE, 1), name[64];
	size_t used = 0, length;

	while (*sentence && used < SENTENCE_SIZE) {
		length = strcspn(sentence, "{");
		used += (size_t)snprintf(text + used, SENTENCE_SIZE - used, "%.*s", (int)length,
					 sentence);
		sentence += length;
		if (!*sentence || used >= SENTENCE_SIZE)
			break;
		length = strcspn(sentence, "}");
		snprintf(name, sizeof(name), "%.*s", (int)length - 1, sentence + 1);
		put_word(r, p, name, value);
		used += (size_t)snprintf(text + used, SENTENCE_SIZE - used, "%s", value);
		sentence += length + 1;
	}
	free(value);
	return text;
}

/* ---- what was found, the same sentences put together ---- */

#define NAMED 8 /* so many ranks are named, the others counted */

struct finding {
	char *sentence;
	unsigned int count;
	bool counts; /* its numbers are of each process */
	char who[NAMED * (RUN_NAME + 2)];
};

static void name_process(struct finding *f, const struct run *r, const struct run_process *p)
{
	size_t used = strlen(f->who);
	char name[RUN_NAME];

	if (f->count++ >= NAMED)
		return;
	run_name_process(r, p, name);
	snprintf(f->who + used, sizeof(f->who) - used, "%s%s", used ? ", " : "", name);
}

char *findings_sentence(const struct run *r, const struct run_process *p, const char *template)
{
	char *sentence = fill(r, p, template);

	make_printable(sentence);
	return sentence;
}

void findings_add(struct findings *all, const struct run *r, const struct run_process *p,
		  const char *template)
{
	char *sentence = findings_sentence(r, p, template);
	struct finding *f;
	unsigned int i;

	for (i = 0; i < all->count && strcmp(all->list[i].sentence, sentence); i++)
		;
	if (i == all->count) {
		all->list = alloc_grow(all->list, ++all->count, sizeof(*f));
		all->list[i] = (struct finding){ .sentence = sentence, .counts = strchr(template, '|') };
	} else {
		free(sentence);
	}
	f = &all->list[i];
	if (p)
		name_process(f, r, p);
}

void findings_note(struct findings *all, const struct run *r, const struct run_process *p, const char *template)
{
	unsigned int before = all->count;

	findings_add(all, r, p, template);
	all->notes += all->count - before;
}

unsigned int findings_say(struct findings *all, FILE *out, const char *prefix)
{
	unsigned int count = all->count, causes = all->count - all->notes;

	for (unsigned int i = 0; i < count; i++) {
		struct finding *f = &all->list[i];

		fprintf(out, "%s%s", prefix, f->who);
		if (f->count > NAMED)
			fprintf(out, " and %u more", f->count - NAMED);
		fprintf(out, "%s%s%s\n", f->counts && f->count > 1 ? ", each" : "", f->count ? ": " : "", f->sentence);
		free(f->sentence);
	}
	free(all->list);
	return causes;
}
