/* explain.c - finds the causes of causes.def in a run. */
#include "analysis/check/explain.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/check/explain_process.h"
#include "analysis/check/findings.h"
#include "analysis/launch/program.h"
#include "analysis/launch/stacks_told.h"
#include "analysis/launch/vendor.h"
#include "analysis/run/run_totals.h"
#include "analysis/util/alloc.h"

enum run_cause {
#define RUN(symbol, sentence) RUN_##symbol,
#define PROCESS(symbol, sentence)
#include "analysis/check/causes.def"
#undef RUN
#undef PROCESS
	RUN_CAUSES
};

static const char *const run_sentences[RUN_CAUSES] = {
#define RUN(symbol, sentence) sentence,
#define PROCESS(symbol, sentence)
#include "analysis/check/causes.def"
#undef RUN
#undef PROCESS
};

static enum run_cause run_cause(const struct run *r)
{
	static const enum run_cause programs[] = { RUN_CAUSES, RUN_MISSING, RUN_STATIC,
						   RUN_PRIVILEGED, RUN_FOREIGN };

	if (!r->asked.enable)
		return *r->asked.refused ? RUN_SETTINGS : RUN_OFF;
	if (!r->asked.steps.all && !r->asked.steps.count && !r->asked.steps.none && !r->asked.on_demand)
		return RUN_NOTHING;
	if (!r->asked.ranks.all && !r->asked.ranks.count && !r->asked.ranks.unknown)
		return RUN_NOBODY;
	if (r->loads > 0 && r->exit_status > 0)
		return RUN_FAILED;
	if (r->loads > 0 && r->signal > 0)
		return RUN_KILLED;
	if (r->loads > 0)
		return *r->asked.stage_source && !r->asked.steps.none ? RUN_NO_STAGE : RUN_NO_CALL;
	for (unsigned int i = PROGRAM_MISSING; i <= PROGRAM_FOREIGN; i++)
		if (!strcmp(r->program_kind, program_words[i]))
			return programs[i];
	return r->loads < 0 ? RUN_UNWATCHED : RUN_PRELOAD;
}

static enum run_cause untraced_cause(const struct run_untraced *u)
{
	static const struct {
		const char *why;
		enum run_cause cause;
	} causes[] = { { "dropped", RUN_DROPPED },
		       { "refused", RUN_REFUSED },
		       { "shut-out", RUN_SHUT_OUT },
		       { UNTRACED_SANDBOXED, RUN_SANDBOXED } };

	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++)
		if (!strcmp(causes[i].why, u->why))
			return causes[i].cause;
	return RUN_HIDDEN;
}

static void add_untraced(struct findings *all, const struct run *r, const struct run_untraced *u)
{
	const struct run_process p = { .rank = -1, .pid = u->pid, .untraced = u };

	(untraced_cause(u) == RUN_HIDDEN ? findings_note : findings_add)(all, r, &p, run_sentences[untraced_cause(u)]);
}

/* One that set a filter may have been recorded before, or make no hooked call at all: only where nothing was recorded it matters. */
static bool is_worth_a_word(const struct run *r, const struct run_untraced *u, bool recorded)
{
	if (untraced_cause(u) != RUN_SANDBOXED)
		return !recorded || !u->said;
	for (unsigned int i = 0; i < r->count; i++)
		recorded |= r->processes[i].pid == u->pid;
	return !recorded;
}

/* Once is enough, unless it is why nothing was recorded. Returns whether one is known to call a vendor. */
static bool check_untraced(struct findings *all, const struct run *r, bool recorded)
{
	bool called = false;

	for (unsigned int i = 0; i < r->untraced_count; i++) {
		bool worth = is_worth_a_word(r, &r->untraced[i], recorded);

		called |= worth && untraced_cause(&r->untraced[i]) != RUN_HIDDEN;
		if (worth)
			add_untraced(all, r, &r->untraced[i]);
	}
	return called;
}

void explain_untraced(struct run *r, FILE *out, const char *prefix)
{
	struct findings all = { 0 };

	check_untraced(&all, r, true);
	for (unsigned int i = 0; i < r->untraced_count; i++)
		r->untraced[i].said = true;
	findings_say(&all, out, prefix);
}

static void check_environment(struct findings *all, const struct run *r)
{
	if (launch_sentence(r->environment))
		findings_add(all, r, NULL, launch_sentence(r->environment));
}

static bool was_seen(const struct run *r, int64_t rank)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (r->processes[i].rank == rank)
			return true;
	return false;
}

/* A range that goes on to the end, or nearly, names nobody in particular. */
static bool names_ranks(const struct selection *s, unsigned int i)
{
	return !s->all && s->range[i].last - s->range[i].first < 4096;
}

/* Other machines may have them: a note, and only where somebody of the selected was seen. */
static void find_absent(struct findings *all, const struct run *r)
{
	const struct selection *asked = &r->asked.ranks;
	struct run_process absent = { .rank = 0 };
	bool seen = false;

	for (unsigned int i = 0; i < r->count; i++)
		seen |= r->processes[i].rank >= 0 && selection_has(asked, r->processes[i].rank);
	for (unsigned int i = 0; seen && i < asked->count; i++) {
		if (!names_ranks(asked, i))
			continue;
		for (absent.rank = asked->range[i].first; absent.rank <= asked->range[i].last; absent.rank++)
			if (!was_seen(r, absent.rank))
				findings_note(all, r, &absent, run_sentences[RUN_ABSENT]);
	}
}

/* As was asked for: a note. */
static void note_none(struct findings *all, const struct run *r)
{
	if (r->asked.steps.none && r->count)
		findings_note(all, r, NULL, run_sentences[RUN_ONLY_HEARD]);
}

static void note_no_stacks(struct findings *all, const struct run *r)
{
	if (r->count && stacks_have_no_level(&r->asked))
		findings_note(all, r, NULL, run_sentences[RUN_NO_STACKS]);
}

static void find_duplicate_ranks(struct findings *all, const struct run *r)
{
	size_t count;
	const struct run_process **list = run_recorders(r, &count), *told = NULL;

	for (size_t i = 1; i < count; i++) {
		if (!run_are_duplicates(list[i - 1], list[i]) || (told && run_is_same_rank(told, list[i])))
			continue;
		told = list[i];
		findings_note(all, r, told, run_sentences[RUN_DUPLICATE_RANKS]);
	}
	free(list);
}

unsigned int explain(const struct run *r, FILE *out, const char *prefix)
{
	struct findings all = { 0 };
	struct run_totals t = run_totals(r);
	bool recorded = t.recorders || t.stages_alone || run_still_record(r), untraced = check_untraced(&all, r, recorded);

	if (!r->count && !untraced)
		findings_add(&all, r, NULL, run_sentences[run_cause(r)]);
	if (!recorded)
		check_environment(&all, r);
	for (unsigned int i = 0; i < r->count; i++)
		explain_process(&all, r, &r->processes[i], recorded);
	find_absent(&all, r);
	find_duplicate_ranks(&all, r);
	note_none(&all, r);
	note_no_stacks(&all, r);
	return findings_say(&all, out, prefix);
}

/* What a vendor says of this word, found beside any run. */
static unsigned int say_launch(const char *word, void (*add)(struct findings *, const struct run *, const struct run_process *, const char *), FILE *out)
{
	struct run *r = alloc_zero(1, sizeof(*r));
	struct findings all = { 0 };

	if (launch_sentence(word))
		add(&all, r, NULL, launch_sentence(word));
	free(r);
	return findings_say(&all, out, "");
}

unsigned int explain_environment(const char *word, FILE *out)
{
	return say_launch(word, findings_add, out);
}

void explain_packages(const char *word, FILE *out)
{
	say_launch(word, findings_note, out);
}

unsigned int explain_program(const struct program *p, FILE *out, const char *prefix)
{
	struct run *r = alloc_zero(1, sizeof(*r));
	unsigned int count;

	r->asked = (struct config){ .enable = true, .steps.all = true, .ranks.all = true };
	snprintf(r->program, sizeof(r->program), "%s", p->path);
	snprintf(r->program_kind, sizeof(r->program_kind), "%s", program_words[p->kind]);
	count = p->kind == PROGRAM_FINE ? 0 : explain(r, out, prefix);
	free(r);
	return count;
}
