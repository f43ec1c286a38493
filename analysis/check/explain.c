/* explain.c - finds the causes of causes.def in a run. */
#include "analysis/check/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/format/causes.h"
#include "analysis/check/findings.h"
#include "analysis/launch/program.h"
#include "analysis/launch/vendor.h"
#include "analysis/run/run_totals.h"
#include "analysis/session/recover.h"
#include "analysis/util/alloc.h"

enum run_cause {
#define RUN(symbol, sentence) RUN_##symbol,
#define PROCESS(symbol, sentence)
#include "analysis/check/causes.def"
#undef RUN
#undef PROCESS
	RUN_CAUSES
};

enum process_cause {
#define RUN(symbol, sentence)
#define PROCESS(symbol, sentence) PROCESS_##symbol,
#include "analysis/check/causes.def"
#undef RUN
#undef PROCESS
	PROCESS_CAUSES
};

static const char *const run_sentences[RUN_CAUSES] = {
#define RUN(symbol, sentence) sentence,
#define PROCESS(symbol, sentence)
#include "analysis/check/causes.def"
#undef RUN
#undef PROCESS
};

static const struct {
	const char *symbol, *sentence;
} process_causes[PROCESS_CAUSES] = {
#define RUN(symbol, sentence)
#define PROCESS(symbol, sentence) { #symbol, sentence },
#include "analysis/check/causes.def"
#undef RUN
#undef PROCESS
};

static enum run_cause run_cause(const struct run *r)
{
	static const enum run_cause programs[] = { RUN_CAUSES, RUN_MISSING, RUN_STATIC,
						   RUN_PRIVILEGED, RUN_FOREIGN };

	if (!r->asked.enable)
		return RUN_OFF;
	if (!r->asked.steps.all && !r->asked.steps.count && !r->asked.steps.none)
		return RUN_NOTHING;
	if (!r->asked.ranks.all && !r->asked.ranks.count)
		return RUN_NOBODY;
	if (r->loads > 0)
		return RUN_NO_CALL;
	for (unsigned int i = PROGRAM_MISSING; i <= PROGRAM_FOREIGN; i++)
		if (!strcmp(r->program_kind, program_words[i]))
			return programs[i];
	return r->loads < 0 ? RUN_UNWATCHED : RUN_PRELOAD;
}

static enum process_cause by_word(const char *word)
{
#define CAUSE(name, text, sort)                                                  \
	for (unsigned int i = 0; !strcmp(word, text) && i < PROCESS_CAUSES; i++) \
		if (!strcmp(process_causes[i].symbol, #name))                    \
			return i;
	SESSION_CAUSES(CAUSE)
#undef CAUSE
	return PROCESS_CAUSES;
}

/* Does it lose calls by itself? Then full buffers are not the reason. */
static bool loses_calls(const char *word)
{
#define CAUSE(name, text, sort)  \
	if (!strcmp(word, text)) \
		return CAUSE_##name != CAUSE_NONE && CAUSE_IS_##sort != CAUSE_IS_STEPS;
	SESSION_CAUSES(CAUSE)
#undef CAUSE
	return false;
}

/* Why a process without a cause of its own kept nothing. */
static enum process_cause silent_cause(const struct run_process *p, bool recorded)
{
	if (p->kept || p->waiting || run_is_alive(p) || (recorded && p->rank < 0))
		return PROCESS_CAUSES;
	if (!p->windows)
		return PROCESS_CLOSED;
	return p->unrecorded_calls ? PROCESS_LEVEL : PROCESS_EMPTY;
}

/*
 * signal 0: it left by _exit(), which is nobody's business. Once everything is saved nothing is lost,
 * whoever killed it, and whether or not we could see by what.
 */
static void check_death(struct findings *all, const struct run *r, const struct run_process *p)
{
	unsigned int before = all->count;

	if (p->waiting)
		findings_add(all, r, p, process_causes[p->guarded ? PROCESS_GUARDED : PROCESS_WAITING].sentence);
	if (p->waiting || strcmp(p->state, "killed") || !p->signal)
		return;
	findings_add(all, r, p, process_causes[p->signal > 0 ? PROCESS_KILLED : PROCESS_VANISHED].sentence);
	all->notes += all->count - before;
}

/* The same cause has another remedy where something else was asked for. */
static enum process_cause refined(const struct run *r, const struct run_process *p, enum process_cause cause)
{
	const char *source = r->asked.step_source;

	if (cause == PROCESS_NO_SOURCE && strstr(source, "kernel:"))
		return PROCESS_SILENT_KERNEL;
	if (cause == PROCESS_NO_SOURCE && *source)
		return strncmp(source, "symbol:", 7) ? PROCESS_SILENT_SOURCE : PROCESS_SILENT_SYMBOL;
	if (cause == PROCESS_NOT_REACHED && p->boundaries == 1 && !strncmp(p->step_source, "kernel:", 7))
		return PROCESS_ONE_RUN;
	if ((cause == PROCESS_NO_RANK || cause == PROCESS_NOT_SELECTED) && !r->asked.ranks.all &&
	    !r->asked.ranks.count)
		return PROCESS_NOBODY;
	if (cause == PROCESS_DISK_FULL && p->error == EFBIG)
		return PROCESS_FILE_LIMIT;
	if (cause == PROCESS_NOT_ENTERED && r->asked.schedule.given && (p->minis || p->micros))
		return PROCESS_NOT_SCHEDULED;
	if (cause == PROCESS_LEVEL && r->asked.roles.count)
		return PROCESS_LEVEL_OF_ROLES;
	if (cause == PROCESS_LEVEL && r->asked.level < LEVEL_0)
		return PROCESS_LEVEL_NONE;
	return cause;
}

/* What found no room in the agent's tables. */
static void check_limits(struct findings *all, const struct run *r, const struct run_process *p)
{
#define LIMIT(key)  \
	if (p->key) \
		findings_add(all, r, p, process_causes[PROCESS_##key].sentence);
	SESSION_LIMITS(LIMIT)
#undef LIMIT
}

/* Of a rank that another process recorded: a forked child, say, that had nothing to record and lost nothing. */
static bool is_bystander(const struct run *r, const struct run_process *p, enum process_cause cause)
{
	if (p->kept || p->dropped || p->waiting || p->broken || run_is_alive(p) ||
	    (cause != PROCESS_CAUSES && cause != PROCESS_NOT_REACHED && cause != PROCESS_NO_SOURCE))
		return false;
	for (unsigned int i = 0; i < r->count; i++)
		if (r->processes[i].kept && r->processes[i].rank == p->rank)
			return true;
	return false;
}

static bool has_selected(const struct run *r)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (r->processes[i].rank >= 0 && selection_has(&r->asked.ranks, r->processes[i].rank))
			return true;
	return false;
}

/* That others were not selected is what the user wanted, as long as somebody was. */
static bool is_as_wanted(const struct run *r, enum process_cause cause, bool recorded)
{
	switch (cause) {
	case PROCESS_NOT_SELECTED:
		return recorded || has_selected(r);
	case PROCESS_NO_STEPS:
		return r->asked.steps.none;
	case PROCESS_NO_ROLE:
	case PROCESS_OTHER_ROLES:
	case PROCESS_ROLES_AWAY:
	case PROCESS_ROLES_OFF:
		return recorded;
	default:
		return false;
	}
}

static void check_process(struct findings *all, const struct run *r, const struct run_process *p,
			  bool recorded)
{
	enum process_cause cause = by_word(p->cause);
	unsigned int before = all->count;

	/* What it lacks may be anything: where only the files tell, numbers that are not there mean nothing. */
	if (p->broken) {
		findings_add(all, r, p, process_causes[PROCESS_BROKEN].sentence);
		if (p->by_files)
			return;
	}
	if (is_bystander(r, p, cause))
		return;
	if (is_as_wanted(r, cause, recorded))
		return;
	if (cause == PROCESS_CAUSES && p->dropped == 0)
		cause = silent_cause(p, recorded);
	cause = refined(r, p, cause);
	if (cause < PROCESS_CAUSES)
		findings_add(all, r, p, process_causes[cause].sentence);
	/* Nor is its rank missed, for all that is known. */
	if (recorded && cause == PROCESS_NO_RANK)
		all->notes += all->count - before;
	if (!loses_calls(p->cause) && p->dropped > p->no_ring)
		findings_add(all, r, p, process_causes[PROCESS_LOST].sentence);
	if (!loses_calls(p->cause) && p->no_ring)
		findings_add(all, r, p, process_causes[PROCESS_THREADS].sentence);
	check_death(all, r, p);
	if (p->lost_buffers)
		findings_add(all, r, p, process_causes[PROCESS_LOST_BUFFERS].sentence);
	if (p->untimed)
		findings_add(all, r, p, process_causes[PROCESS_UNTIMED].sentence);
	check_limits(all, r, p);
}

/* What the vendor refused is the program's business: a note. */
static void check_failures(struct findings *all, const struct run *r, const struct run_process *p)
{
	unsigned int before = all->count;

	if (p->failed)
		findings_add(all, r, p, process_causes[PROCESS_FAILED].sentence);
	all->notes += all->count - before;
}

/* It was not said where everybody looks; what it is about has a cause of its own. */
static void check_unsaid(struct findings *all, const struct run *r, const struct run_process *p)
{
	unsigned int before = all->count;

	if (p->unsaid[0])
		findings_add(all, r, p, process_causes[PROCESS_UNSAID].sentence);
	all->notes += all->count - before;
}

/* What its hooks noticed of their environment: words of their vendors. */
static void check_note(struct findings *all, const struct run *r, const struct run_process *p)
{
	char text[sizeof(p->note)], *rest = text, *word;

	memcpy(text, p->note, sizeof(text));
	while ((word = strsep(&rest, " ")))
		if (launch_sentence(word))
			findings_add(all, r, p, launch_sentence(word));
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
	unsigned int before = all->count;

	findings_add(all, r, &p, run_sentences[untraced_cause(u)]);
	if (untraced_cause(u) == RUN_HIDDEN)
		all->notes += all->count - before;
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
	unsigned int before = all->count;
	bool seen = false;

	for (unsigned int i = 0; i < r->count; i++)
		seen |= r->processes[i].rank >= 0 && selection_has(asked, r->processes[i].rank);
	for (unsigned int i = 0; seen && i < asked->count; i++) {
		if (!names_ranks(asked, i))
			continue;
		for (absent.rank = asked->range[i].first; absent.rank <= asked->range[i].last; absent.rank++)
			if (!was_seen(r, absent.rank))
				findings_add(all, r, &absent, run_sentences[RUN_ABSENT]);
	}
	all->notes += all->count - before;
}

/* As was asked for: a note. */
static void note_none(struct findings *all, const struct run *r)
{
	unsigned int before = all->count;

	if (r->asked.steps.none && r->count)
		findings_add(all, r, NULL, run_sentences[RUN_ONLY_HEARD]);
	all->notes += all->count - before;
}

static void find_duplicate_ranks(struct findings *all, const struct run *r)
{
	unsigned int before = all->count;
	size_t count;
	const struct run_process **list = run_recorders(r, &count), *told = NULL;

	for (size_t i = 1; i < count; i++) {
		if (!run_are_duplicates(list[i - 1], list[i]) || (told && told->rank == list[i]->rank))
			continue;
		told = list[i];
		findings_add(all, r, told, run_sentences[RUN_DUPLICATE_RANKS]);
	}
	free(list);
	all->notes += all->count - before;
}

unsigned int explain(const struct run *r, FILE *out, const char *prefix)
{
	struct findings all = { 0 };
	bool recorded = run_totals(r).recorders || run_still_record(r), untraced = check_untraced(&all, r, recorded);

	if (!r->count && !untraced)
		findings_add(&all, r, NULL, run_sentences[run_cause(r)]);
	if (!recorded)
		check_environment(&all, r);
	for (unsigned int i = 0; i < r->count; i++) {
		check_process(&all, r, &r->processes[i], recorded);
		check_note(&all, r, &r->processes[i]);
		check_unsaid(&all, r, &r->processes[i]);
		check_failures(&all, r, &r->processes[i]);
	}
	find_absent(&all, r);
	find_duplicate_ranks(&all, r);
	note_none(&all, r);
	return findings_say(&all, out, prefix);
}

unsigned int explain_environment(const char *word, FILE *out)
{
	struct run *r = alloc_zero(1, sizeof(*r));
	struct findings all = { 0 };

	snprintf(r->environment, sizeof(r->environment), "%s", word);
	check_environment(&all, r);
	free(r);
	return findings_say(&all, out, "");
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
