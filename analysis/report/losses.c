/* losses.c - the end of the text report: step source, what was lost, what was not seen. */
#include <inttypes.h>
#include <string.h>

#include "analysis/report/grouped_lines.h"
#include "analysis/trace/words.h"
#include "hooks/rows/table.h"

#define UNRECORDED "unrecorded."

static const char *fact(const struct report *r, const char *key)
{
	const char *value = key_values_get(&r->facts, key);

	return value ? value : "";
}

/* A file tells at its end, and the session before that. */
static bool knows_source(const struct report *r)
{
	return r->clean_end || r->recovered || r->has_session || *fact(r, "step_source");
}

static bool same_source(const struct report *reports, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (strcmp(fact(&reports[0], "step_source"), fact(&reports[i], "step_source")) ||
		    knows_source(&reports[0]) != knows_source(&reports[i]) || reports[0].runs != reports[i].runs)
			return false;
	}
	return true;
}

/* The part of a kernel's name that is good inside a regular expression as it stands. */
static void plain_name(struct out *o, const char *name)
{
	for (; *name; name++)
		out_char(o, strchr("[](){}*+?.^$|\\\"' ", *name) || *name < ' ' ? '.' : *name);
}

static void no_source(struct out *o, const struct report *r)
{
	const struct kernel_row *k = periodic_kernels_guess(r);

	out_text(o, "no step source fired, so steps are not told apart. Give one: --step-source ");
	if (!k) {
		out_text(o, "kernel:REGEX,\nwhere REGEX matches the last kernels of a step (the optimizer's), or "
			    "call ranktrace_step(n).\nNo guess: no kernel is launched at equal distances up to the end.\n");
		return;
	}
	out_text(o, "\"kernel:^");
	plain_name(o, k->name);
	out_format(o, "$\"\n(the best guess: %" PRIu64 " times, %" PRIu64 " other launches between), or call "
		      "ranktrace_step(n) in the program.\n",
		   k->period.times, k->period.gap);
}

static void source_line(struct out *o, const struct report *r)
{
	const char *source = fact(r, "step_source");

	if (*source) {
		out_clean(o, source);
		out_char(o, '\n');
	} else if (!knows_source(r)) {
		out_text(o, "not known: the file has no end, which would tell\n");
	} else if (r->runs) {
		out_text(o, "none fired so far\n");
	} else {
		no_source(o, r);
	}
	if (!strncmp(source, "kernel:", strlen("kernel:")))
		out_text(o, "(a step begins with its first launch: loading, waiting and input copies before it show in the "
			    "step before)\n");
}

/* ---- what may be said of a process: a line, or nothing ---- */

static void dropped_line(struct out *o, const struct report *r)
{
	const char *cause = fact(r, "cause");
	bool limit = !strcmp(cause, "max-size-reached");

	if (!r->dropped && limit)
		out_text(o, "max_size was reached and recording ended\n");
	if (!r->dropped)
		return;
	out_format(o, "%" PRIu64 " of %" PRIu64 " calls dropped", r->dropped, r->called);
	if (limit)
		out_text(o, ": max_size was reached and recording ended; give a larger one or select "
			    "fewer steps");
	else if (*cause && strcmp(cause, "none"))
		out_format(o, " (%s)", cause);
	else
		out_text(o, ": they came faster than they could be written");
	out_char(o, '\n');
}

static void in_flight_line(struct out *o, const struct report *r)
{
	if (r->in_flight)
		out_format(o, "%" PRId64 " call%s still under way at the end\n", r->in_flight,
			   r->in_flight == 1 ? " was" : "s were");
}

static void damage_line(struct out *o, const struct report *r)
{
	const struct loss *l = &r->loss;

	if (!l->missing_chunks && !l->bad_chunks && !l->skipped_bytes && !l->tail_bytes &&
	    !r->lost_slots)
		return;
	out_format(o, "damaged or unfinished: %" PRIu64 " chunks missing, %" PRIu64 " broken, ",
		   l->missing_chunks, l->bad_chunks);
	out_format(o, "%" PRIu64 " bytes skipped, %" PRIu64 " unfinished at the end, ",
		   l->skipped_bytes, l->tail_bytes);
	out_format(o, "%" PRIu64 " records gone\n", r->lost_slots);
}

static void untimed_line(struct out *o, const struct report *r)
{
	uint64_t n = key_values_number(&r->facts, "untimed", 0);
	const char *off = key_values_get(&r->facts, "device_times_off");

	if (n)
		out_format(o, "%" PRIu64 " call%s no device time though it was asked for%s%s\n", n, n == 1 ? " has" : "s have",
			   off ? ": " : "", off ? off : "");
}

static void memory_line(struct out *o, const struct report *r)
{
	if (r->runs && r->in_memory)
		out_format(o, "%" PRIu64 " of its calls %s not in a file yet\n", r->in_memory,
			   r->in_memory == 1 ? "is" : "are");
	else if (r->in_memory)
		out_format(o, "ended without its exit handlers (killed, or _exit); %" PRIu64 " event%s still "
			      "in memory: %s\n",
			   r->in_memory, r->in_memory == 1 ? " is" : "s are",
			   r->guarded ? "its ranktrace-run will save them in the end" : "run `ranktrace recover`");
}

static void in_call_lines(struct out *o, const struct report *r)
{
	for (size_t i = 0; i < r->facts.count; i++) {
		const struct key_value *f = &r->facts.list[i];

		if (!strncmp(f->key, "in_call.", strlen("in_call.")))
			out_format(o, "  thread %s died inside %s\n", f->key + strlen("in_call."),
				   f->value);
	}
}

static void end_line(struct out *o, const struct report *r)
{
	if (r->clean_end || r->unreadable || (r->in_memory && !r->runs))
		return;
	if (r->recovered && r->signal)
		out_format(o, "was killed by signal %d (%s); what it had recorded was saved from memory\n",
			   (int)r->signal, strsignal((int)r->signal));
	else if (r->recovered)
		out_text(o, "ended without its exit handlers (killed, or _exit); what it had recorded "
			    "was saved from memory\n");
	else if (r->runs)
		out_text(o, "runs now: `ranktrace check`\n");
	else if (r->has_session)
		out_text(o, "ended without its exit handlers (killed, or _exit): run `ranktrace recover`\n");
	else
		out_text(o, "no end: the process still runs, or was killed: ranktrace recover\n");
	in_call_lines(o, r);
}

static enum event_kind kind_of(const char *entry_point)
{
	for (unsigned int i = 0; i < hook_row_count; i++)
		if (!strcmp(hook_rows[i].name, entry_point) && hook_rows[i].kind < EV_KINDS)
			return hook_rows[i].kind;
	return EV_KINDS;
}

struct unrecorded {
	uint64_t calls, names, most;
	const char *which; /* of most */
	int level;	   /* that records them all */
	bool memory;	   /* allocations are among them */
};

static void add_unrecorded(struct unrecorded *u, const char *name, uint64_t calls)
{
	enum event_kind kind = kind_of(name);

	u->calls += calls;
	u->names++;
	u->memory |= kind == EV_ALLOC || kind == EV_FREE || kind == EV_POOL_ALLOC || kind == EV_POOL_FREE;
	if (kind_levels[kind] > u->level)
		u->level = kind_levels[kind];
	if (calls > u->most) {
		u->most = calls;
		u->which = name;
	}
}

/* What brings them, as far as it was not given. */
static void say_remedy(struct out *o, const struct report *r, const struct unrecorded *u)
{
	bool memory = u->memory && !strstr(fact(r, "contents"), "memory"), level;
	int asked = 3;

	while (asked && strcmp(level_words[asked], fact(r, "level")))
		asked--;
	level = u->level + 1 > asked;
	if (level || memory)
		out_text(o, ": give ");
	if (level)
		out_format(o, "--level %s", level_words[u->level + 1]);
	if (memory)
		out_format(o, "%smemory in --contents", level ? " and " : "");
}

static void unrecorded_line(struct out *o, const struct report *r)
{
	struct unrecorded u = { .which = "", .level = LEVEL_NONE };

	for (size_t i = 0; i < r->facts.count; i++) {
		const struct key_value *f = &r->facts.list[i];

		if (!strncmp(f->key, UNRECORDED, strlen(UNRECORDED)))
			add_unrecorded(&u, f->key + strlen(UNRECORDED), key_values_number(&r->facts, f->key, 0));
	}
	if (!u.calls)
		return;
	out_format(o, "%" PRIu64 " call%s of %" PRIu64 " entry point%s %s left out by level or contents (most: %" PRIu64 " of %s)",
		   u.calls, u.calls == 1 ? "" : "s", u.names, u.names == 1 ? "" : "s", u.calls == 1 ? "is" : "are", u.most, u.which);
	say_remedy(o, r, &u);
	out_char(o, '\n');
}

static void told(struct out *o, const struct report *r, const char *fact, const char *before, const char *behind)
{
	uint64_t n = key_values_number(&r->facts, fact, 0);

	if (n)
		out_format(o, "%s%" PRIu64 "%s\n", before, n, behind);
}

static void passed_line(struct out *o, const struct report *r)
{
	told(o, r, "passed_unknown", "", " calls passed through unknown to ranktrace");
}

static void deepbind_line(struct out *o, const struct report *r)
{
	told(o, r, "deepbind", "calls of ",
	     " libraries opened with RTLD_DEEPBIND are not seen: give --undo-deepbind true");
}

static void namespace_line(struct out *o, const struct report *r)
{
	told(o, r, "namespaces", "calls of ",
	     " libraries opened by dlmopen() in a namespace of their own are not seen");
}

typedef void line_of(struct out *o, const struct report *r);

/* Adds what a line's function says of a process, if it says anything. */
static void take_line(struct grouped_lines *all, line_of *line, const struct report *r)
{
	static struct out text = { .fd = -1 };

	text.used = 0;
	line(&text, r);
	if (text.used)
		grouped_lines_add(all, r, text.buffer, text.used);
}

static void sources(struct out *o, const struct report *reports, size_t count)
{
	struct grouped_lines all = { 0 };

	out_text(o, "\nStep source\n");
	if (same_source(reports, count)) {
		source_line(o, &reports[0]);
		return;
	}
	for (size_t i = 0; i < count; i++)
		take_line(&all, source_line, &reports[i]);
	grouped_lines_print(&all, o);
}

static void libraries(struct out *o, const struct report *reports, size_t count)
{
	struct key_values all = { 0 };

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < reports[i].facts.count; k++) {
			const struct key_value *f = &reports[i].facts.list[k];

			if (!strcmp(f->key, "library"))
				key_values_add(&all, f->key, f->value);
		}
	}
	if (all.count)
		out_text(o, "\nLibraries seen\n");
	for (size_t i = 0; i < all.count; i++) {
		out_clean(o, all.list[i].value);
		out_char(o, '\n');
	}
	key_values_free(&all);
}

void losses_text(struct out *o, const struct report *reports, size_t count)
{
	static line_of *const lines[] = {
		end_line,
		memory_line,
		dropped_line,
		in_flight_line,
		damage_line,
		untimed_line,
		unrecorded_line,
		passed_line,
		deepbind_line,
		namespace_line,
	};
	struct grouped_lines all = { 0 };

	sources(o, reports, count);
	torch_npu_gate_text(o, reports, count);
	out_text(o, "\nLost and not seen\n");
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof(lines) / sizeof(lines[0]); k++)
			take_line(&all, lines[k], &reports[i]);
	if (!grouped_lines_print(&all, o))
		out_text(o, "nothing: every call made while recording is in the files\n");
	libraries(o, reports, count);
}
