/* explain_process.c - the causes of causes.def in what is known of one process. */
#include "analysis/check/explain_process.h"

#include <errno.h>
#include <string.h>

#include "agent/format/causes.h"
#include "analysis/check/findings.h"
#include "analysis/launch/vendor.h"
#include "analysis/run/remedies.h"
#include "analysis/run/run_totals.h"
#include "analysis/session/recover.h"
#include "config/step_source/spec_list.h"

enum process_cause {
#define RUN(symbol, sentence)
#define PROCESS(symbol, sentence) PROCESS_##symbol,
#include "analysis/check/causes.def"
#undef RUN
#undef PROCESS
	PROCESS_CAUSES
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

static enum process_cause by_word(const char *word)
{
	static const char *const symbols[CAUSE_COUNT + 1] = {
#define CAUSE(name, text, sort) #name,
		SESSION_CAUSES(CAUSE)
#undef CAUSE
			"",
	};
	const char *symbol = symbols[session_cause_of(word)];
	unsigned int i = 0;

	while (i < PROCESS_CAUSES && strcmp(process_causes[i].symbol, symbol))
		i++;
	return i;
}

/* Does it lose calls by itself? Then full buffers are not the reason. */
static bool loses_calls(const char *word)
{
	uint32_t cause = session_cause_of(word);

	return cause != CAUSE_NONE && cause != CAUSE_COUNT && !session_cause_is_of_steps(cause);
}

/* Why a process without a cause of its own kept nothing. */
static enum process_cause silent_cause(const struct run_process *p, bool recorded)
{
	if (p->kept || run_has_stages_alone(p) || p->waiting || run_is_alive(p) || (recorded && p->rank < 0))
		return PROCESS_CAUSES;
	if (!p->windows)
		return PROCESS_CLOSED;
	return p->unrecorded_calls ? PROCESS_LEVEL : PROCESS_EMPTY;
}

static bool was_ended(const struct run_process *p)
{
	return !p->waiting && run_was_cut(p) && p->signal;
}

/*
 * signal 0: it left by _exit(), which is nobody's business. Once everything is saved nothing is lost,
 * whoever killed it, and whether or not we could see by what.
 */
static void check_death(struct findings *all, const struct run *r, const struct run_process *p)
{
	if (p->waiting)
		findings_add(all, r, p, process_causes[p->guarded ? PROCESS_GUARDED : PROCESS_WAITING].sentence);
	if (!was_ended(p))
		return;
	findings_note(all, r, p, process_causes[p->signal > 0 ? PROCESS_KILLED : PROCESS_VANISHED].sentence);
}

/* Is one of these sources of this kind? */
static bool names(const char *sources, const char *kind)
{
	const char *from, *end;

	while (spec_next(&sources, &from, &end))
		if ((size_t)(end - from) > strlen(kind) && !strncmp(from, kind, strlen(kind)))
			return true;
	return false;
}

/* No source of those that were named has fired: what may be wrong with them, the first of these kinds that is there. */
static enum process_cause silent(const char *sources)
{
	static const struct {
		const char *kind;
		enum process_cause cause;
	} kinds[] = {
		{ "kernel:", PROCESS_SILENT_KERNEL },
		{ "marker:", PROCESS_SILENT_MARKER },
		{ "collective:", PROCESS_SILENT_COLLECTIVE },
		{ "time:", PROCESS_SILENT_TIME },
		{ "symbol:", PROCESS_SILENT_SYMBOL },
	};

	if (!strncmp(sources, "time:", strlen("time:"))) /* it waits for none before it, and the first launch makes it the clock */
		return PROCESS_SILENT_TIME_ALONE;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (names(sources, kinds[i].kind))
			return kinds[i].cause;
	return PROCESS_SILENT_SOURCE;
}

/* The same cause has another remedy where something else was asked for. */
static enum process_cause refined(const struct run *r, const struct run_process *p, enum process_cause cause)
{
	const char *source = r->asked.step_source;

	if (cause == PROCESS_NO_SOURCE && *source)
		return silent(source);
	if (cause == PROCESS_NOT_CALLED && p->unread.count)
		return PROCESS_UNREAD;
	if (cause == PROCESS_NOT_REACHED && p->boundaries == 1 && !strncmp(p->step_source, "kernel:", 7))
		return PROCESS_ONE_RUN;
	if (cause == PROCESS_NOT_REACHED && p->last_step == STEP_NULL)
		return PROCESS_NO_STEP;
	if (cause == PROCESS_NOT_REACHED && r->exit_status > 0)
		return PROCESS_FAILED_BEFORE;
	if (cause == PROCESS_CLOSED && was_ended(p))
		return p->signal > 0 ? PROCESS_KILLED_EARLY : PROCESS_VANISHED_EARLY;
	if ((cause == PROCESS_NO_RANK || cause == PROCESS_NOT_SELECTED) && !r->asked.ranks.all &&
	    !r->asked.ranks.count && !r->asked.ranks.unknown)
		return PROCESS_NOBODY;
	if (cause == PROCESS_NO_RANK && run_ended_waiting(p))
		return PROCESS_WAITED_RANK;
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
		if (r->processes[i].kept && run_is_same_rank(&r->processes[i], p))
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
	case PROCESS_ROLES_STEPS:
		return recorded;
	default:
		return false;
	}
}

static void check_process(struct findings *all, const struct run *r, const struct run_process *p,
			  bool recorded)
{
	enum process_cause cause = by_word(p->cause);

	/* What it lacks may be anything: where only the files tell, numbers that are not there mean nothing. */
	if (p->broken) {
		findings_add(all, r, p, process_causes[PROCESS_BROKEN].sentence);
		if (p->by_files)
			return;
	}
	if (is_bystander(r, p, cause))
		return;
	if (is_as_wanted(r, cause, recorded)) {
		if (loses_calls(p->cause) || p->dropped <= run_unselected(p))
			return;
		cause = PROCESS_CAUSES;
	}
	if (cause == PROCESS_CAUSES && p->dropped == 0)
		cause = silent_cause(p, recorded);
	cause = refined(r, p, cause);
	if (recorded && (cause == PROCESS_NO_RANK || cause == PROCESS_WAITED_RANK || cause == PROCESS_ROLES_NO_RANK)) /* nor is its rank missed, for all that is known */
		findings_note(all, r, p, process_causes[cause].sentence);
	else if (cause < PROCESS_CAUSES)
		findings_add(all, r, p, process_causes[cause].sentence);
	if (!loses_calls(p->cause) && p->dropped > p->no_ring + run_unselected(p))
		findings_add(all, r, p, process_causes[PROCESS_LOST].sentence);
	if (!loses_calls(p->cause) && p->no_ring)
		findings_add(all, r, p, process_causes[PROCESS_THREADS].sentence);
	if (cause != PROCESS_KILLED_EARLY && cause != PROCESS_VANISHED_EARLY) /* which say it */
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
	if (p->failed)
		findings_note(all, r, p, process_causes[PROCESS_FAILED].sentence);
}

/* It was not said where everybody looks; what it is about has a cause of its own. */
static void check_unsaid(struct findings *all, const struct run *r, const struct run_process *p)
{
	if (p->unsaid[0])
		findings_note(all, r, p, process_causes[PROCESS_UNSAID].sentence);
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

char *explain_cause(const struct run *r, const struct run_process *p)
{
	enum process_cause cause = refined(r, p, by_word(p->cause));

	return cause < PROCESS_CAUSES ? findings_sentence(r, p, process_causes[cause].sentence) : NULL;
}

void explain_process(struct findings *all, const struct run *r, const struct run_process *p, bool recorded)
{
	check_process(all, r, p, recorded);
	check_note(all, r, p);
	check_unsaid(all, r, p);
	check_failures(all, r, p);
}
