#include "agent/steps/wanted.h"
#include <stdio.h>
#include <string.h>
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"
#include "agent/steps/roles.h"
#include "agent/steps/selected.h"
#include "config/option_words.h"

#define NONE ((struct wanted){ .any = false })

/* Whole steps. */
static struct wanted of_steps(struct wanted w, int64_t now)
{
	if (!selected_has(now))
		return NONE;
	if (settings.file_per_step || roles_steps_differ())
		w.first = w.last = now;
	else if (!selected_all())
		selected_run(now, &w.first, &w.last);
	return w;
}

/* Between two batches of one stretch the first of them counts. */
static int64_t batch_at(const struct schedule *schedule, const struct place_now *place)
{
	int64_t before = place->next[schedule->counter] - 1;

	if (place->batch[schedule->counter] >= 0)
		return place->batch[schedule->counter];
	return before >= 0 && schedule_state(schedule, before) == SCHEDULE_RECORD ? before : -1;
}

/* Stages, or batches. Those that count on through steps and stages make windows that do so, too. */
static struct wanted inside_steps(struct wanted w)
{
	const struct schedule *schedule = w.detail.schedule;
	int64_t batch = schedule ? batch_at(schedule, &w.place) : -1;
	bool of_stages = w.detail.discrete || settings.reset != RESET_NEVER;

	if (!selected_has_stage(w.place.step, w.place.stage ? w.place.role : "") || (w.detail.discrete && !w.place.stage) || (schedule && !schedule_has(schedule, batch)))
		return NONE;
	if (of_stages || !settings.steps.all)
		w.first = w.last = w.place.step;
	if (of_stages)
		w.stage = w.place.stage;
	if (schedule)
		schedule_run(schedule, batch, &w.from, &w.to);
	return w;
}

struct wanted wanted_at(const struct place_now *place, int64_t step)
{
	struct wanted w = { .any = true, .place = *place, .first = STEP_NULL, .last = STEP_NULL, .from = -1, .to = -1 };

	if (!roles_want(&w.place, step, &w.detail))
		return NONE;
	return w.detail.discrete || w.detail.schedule ? inside_steps(w) : of_steps(w, step);
}

bool wanted_same(const struct wanted *a, const struct wanted *b)
{
	return a->any == b->any && a->first == b->first && a->last == b->last && a->stage == b->stage && a->from == b->from && a->to == b->to;
}

/* ---- names ---- */

static void put_steps(const struct wanted *w, char *text, size_t size)
{
	text[0] = '\0';
	if (w->first == STEP_NULL)
		return;
	if (w->first == w->last)
		snprintf(text, size, "step-%lld", (long long)w->first);
	else if (w->last > INT64_MAX / 2)
		snprintf(text, size, "steps-%lld-end", (long long)w->first);
	else
		snprintf(text, size, "steps-%lld-%lld", (long long)w->first, (long long)w->last);
}

static void put_batches(const struct wanted *w, char *text, size_t size)
{
	const char *word;

	text[0] = '\0';
	if (w->from < 0)
		return;
	word = schedule_counter_word(w->detail.schedule->counter);
	if (w->from == w->to)
		snprintf(text, size, "%s-%lld", word, (long long)w->from);
	else if (w->to > INT64_MAX / 2)
		snprintf(text, size, "%s-%lld-end", word, (long long)w->from);
	else
		snprintf(text, size, "%s-%lld-%lld", word, (long long)w->from, (long long)w->to);
}

/* What a file may be called, wherever it is copied to; of a long name the beginning. */
static void put_role(const char *role, char *text, size_t size)
{
	size_t n = 0;

	for (; role[n] && n + 1 < size; n++)
		text[n] = (role[n] >= '0' && role[n] <= '9') || ((role[n] | 32) >= 'a' && (role[n] | 32) <= 'z') || role[n] == '-' ? role[n] : '_';
	text[n] = '\0';
}

void wanted_name(const struct wanted *w, char name[WINDOW_NAME])
{
	char steps[48], batches[48], role[WINDOW_NAME] = "", occurrence[16] = "";
	size_t others;

	put_steps(w, steps, sizeof(steps));
	put_batches(w, batches, sizeof(batches));
	if (w->stage)
		snprintf(occurrence, sizeof(occurrence), "%u", w->place.occurrence);
	others = strlen(steps) + strlen(batches) + strlen(occurrence) + 4; /* dots, and the end */
	if (w->stage && others < WINDOW_NAME)
		put_role(w->place.role, role, WINDOW_NAME - others);
	snprintf(name, WINDOW_NAME, "%s%s%s%s%s%s%s", steps, *steps && *role ? "." : "", role, *role ? "." : "", occurrence,
		 *batches && (*steps || *role) ? "." : "", batches);
	if (!*name)
		snprintf(name, WINDOW_NAME, "all");
}
