#include "agent/steps/wanted.h"
#include <stdio.h>
#include <string.h>
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"
#include "agent/steps/selected.h"
#include "config/option_words.h"

#define NONE ((struct wanted){ .any = false })

static bool is_of_batches(void)
{
	return settings.schedule.given && settings.schedule.counter != SCHEDULE_STEP;
}

bool wanted_inside_steps(void)
{
	return settings.discrete || is_of_batches();
}

/* Batches that count on through steps and stages make windows that do so, too. */
static bool is_of_stages(void)
{
	return settings.discrete || settings.reset != RESET_NEVER;
}

/* Between two batches of one stretch the first of them counts. */
static int64_t batch_at(const struct place_now *place)
{
	int64_t before = place->next[settings.schedule.counter] - 1;

	if (place->batch[settings.schedule.counter] >= 0)
		return place->batch[settings.schedule.counter];
	return before >= 0 && schedule_state(&settings.schedule, before) == SCHEDULE_RECORD ? before : -1;
}

struct wanted wanted_at(int64_t now)
{
	struct place_now place = place_now(now);
	struct wanted w = { .any = true, .place = place, .first = STEP_NULL, .last = STEP_NULL, .from = -1, .to = -1 };
	int64_t batch = is_of_batches() ? batch_at(&place) : -1, step = place.step;

	if (!wanted_inside_steps()) {
		if (!selected_has(now))
			return NONE;
		if (!selected_all())
			selected_run(now, &w.first, &w.last);
		return w;
	}
	if (!selected_has(step) || (settings.discrete && !place.stage) || (is_of_batches() && !schedule_has(&settings.schedule, batch)))
		return NONE;
	if (is_of_stages() || !settings.steps.all)
		w.first = w.last = step;
	if (is_of_stages())
		w.stage = place.stage;
	if (is_of_batches())
		schedule_run(&settings.schedule, batch, &w.from, &w.to);
	return w;
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
	const char *word = schedule_counter_word(settings.schedule.counter);

	text[0] = '\0';
	if (w->from < 0)
		return;
	if (w->from == w->to)
		snprintf(text, size, "%s-%lld", word, (long long)w->from);
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
