/* losses.c - section: what was lost, and what was not seen. */
#include <inttypes.h>
#include <string.h>

#include "agent/format/causes.h"
#include "analysis/report/dropped_steps.h"
#include "analysis/report/dropped_why.h"
#include "analysis/report/grouped_lines.h"
#include "analysis/report/limit_lines.h"
#include "analysis/report/losses.h"
#include "analysis/report/section.h"
#include "analysis/report/unrecorded.h"
#include "analysis/report/without_files.h"
#include "analysis/session/recover.h"
#include "analysis/trace/collective_launches.h"

#define CALLS_SHOWN 100 /* of threads that died inside one */

/* ---- what may be said of a process: a line, or nothing ---- */

static uint64_t gone_calls(const struct report *r)
{
	return key_values_number(&r->facts, "gone", 0);
}

static void dropped_line(struct out *o, const struct report *r)
{
	if (!r->dropped && session_cause_of(report_fact(r, "cause")) == CAUSE_MAX_SIZE)
		out_text(o, "max_size was reached and recording stopped\n");
	if (dropped_why_put(o, r))
		out_char(o, '\n');
}

/* A process that was killed: not all of its buffers were in tmpfs. */
static void buffers_line(struct out *o, const struct report *r)
{
	uint64_t n = key_values_number(&r->facts, "lost_buffers", 0), gone = gone_calls(r);

	if (gone && gone < report_missed(r))
		out_format(o, "  of these %" PRIu64 " " RECOVERED_GONE "\n", gone);
	if (n)
		out_format(o, "%" PRIu64 " buffer%s " RECOVERED_BUFFERS "\n", n, n == 1 ? "" : "s");
}

static void empty_line(struct out *o, const struct report *r)
{
	if (r->empty_files)
		out_format(o, "%zu file%s empty: what was to be written to %s is lost, as on a full disk\n", r->empty_files, r->empty_files == 1 ? " is" : "s are",
			   r->empty_files == 1 ? "it" : "them");
}

static void damage_line(struct out *o, const struct report *r)
{
	const struct loss *l = &r->loss;

	if (!l->missing_chunks && !l->bad_chunks && !l->skipped_bytes && !l->tail_bytes &&
	    !r->lost_slots)
		return;
	out_format(o, "damaged or unfinished: %" PRIu64 " chunks missing, %" PRIu64 " corrupt, ",
		   l->missing_chunks, l->bad_chunks);
	out_format(o, "%" PRIu64 " bytes skipped, %" PRIu64 " bytes unfinished at the end, ",
		   l->skipped_bytes, l->tail_bytes);
	out_format(o, "%" PRIu64 " records lost\n", r->lost_slots);
}

static void untimed_line(struct out *o, const struct report *r)
{
	uint64_t n = key_values_number(&r->facts, "untimed", 0);
	const char *off = key_values_get(&r->facts, "device_times_off");

	if (n)
		out_format(o, "%" PRIu64 " call%s the device time that was asked for%s%s\n",
			   n, n == 1 ? " lacks" : "s lack",
			   off ? ": " : "", off ? off : "");
}

static void later_line(struct out *o, const struct report *r)
{
	uint64_t n = key_values_number(&r->facts, "times_later", 0);

	if (n)
		out_format(o, "%" PRIu64 " device time%s of these calls came when the next window had begun: its file has %s, give the folder\n", n,
			   n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

static void memory_line(struct out *o, const struct report *r)
{
	if (r->runs && r->in_memory)
		out_format(o, "%" PRIu64 " call%s not in a file yet\n", r->in_memory,
			   r->in_memory == 1 ? " is" : "s are");
	else if (r->in_memory)
		out_format(o, "%s; %" PRIu64 " event%s still in memory: %s\n", recovered_ending(r->left), r->in_memory,
			   r->in_memory == 1 ? " is" : "s are",
			   r->guarded ? "ranktrace-run will collect them when the job ends"
				      : "run `ranktrace recover`");
}

static void in_call_lines(struct out *o, const struct report *r)
{
	size_t shown = 0;

	for (size_t i = 0; i < r->facts.count; i++) {
		const struct key_value *f = &r->facts.list[i];

		if (strncmp(f->key, "in_call.", strlen("in_call.")))
			continue;
		if (shown++ < CALLS_SHOWN)
			out_format(o, "  thread %s %s inside %s\n", f->key + strlen("in_call."), r->clean_end || r->left ? "was" : "died",
				   f->value);
	}
	if (shown > CALLS_SHOWN)
		out_format(o, "  and %zu threads more\n", shown - CALLS_SHOWN);
}

static void in_flight_line(struct out *o, const struct report *r)
{
	if (!r->in_flight)
		return;
	out_format(o, "%" PRId64 " call%s in flight at the end\n", r->in_flight,
		   r->in_flight == 1 ? " was" : "s were");
	if (r->clean_end)
		in_call_lines(o, r);
}

static void end_line(struct out *o, const struct report *r)
{
	if (r->clean_end || r->unreadable || (r->in_memory && !r->runs))
		return;
	if (r->recovered && r->signal)
		out_format(o, "was killed by signal %d (%s); recorded calls were recovered from "
			      "memory\n",
			   (int)r->signal, strsignal((int)r->signal));
	else if (r->recovered)
		out_format(o, "%s; recorded calls were recovered from memory\n", recovered_ending(r->left));
	else if (r->runs)
		out_text(o, "still running: see `ranktrace check`\n");
	else if (r->has_session)
		out_format(o, "%s: run `ranktrace recover`\n", recovered_ending(r->left));
	else
		out_text(o, "file not closed: the process is still running, or was killed (run "
			    "`ranktrace recover`)\n");
	in_call_lines(o, r);
}

/* What a reader of the trace keeps in mind is bounded. */
static void reading_lines(struct out *o, const struct report *r)
{
	if (r->unplaced)
		out_format(o, "%" PRIu64 " device time%s too far from %s to be counted in steps and copies\n", r->unplaced,
			   r->unplaced == 1 ? " stands" : "s stand", r->unplaced == 1 ? "its call" : "their calls");
	if (r->crowded)
		out_format(o, "%" PRIu64 " collective%s more than %u launches: the first of them count as compute\n", r->crowded,
			   r->crowded == 1 ? " made" : "s made", COLLECTIVE_LAUNCHES_MAX);
	if (r->facts.left_out)
		out_format(o, "%zu line%s of its files' texts found no room, and what they say is not told\n", r->facts.left_out,
			   r->facts.left_out == 1 ? "" : "s");
}

/* They ended with a killed process, found no room, or stood in a damaged part of its files. */
static void undefined_lines(struct out *o, const struct report *r)
{
	if (r->nameless)
		out_format(o, "%" PRIu64 " call%s without name and sizes, as their definitions are not in the files\n", r->nameless,
			   r->nameless == 1 ? " is" : "s are");
	if (r->stepless)
		out_format(o, "%" PRIu64 " call%s in no step, as the definitions of their steps are not in the files\n", r->stepless,
			   r->stepless == 1 ? " is" : "s are");
}

static void told(struct out *o, const struct report *r, const char *fact, const char *one, const char *many, const char *rest)
{
	uint64_t n = key_values_number(&r->facts, fact, 0);

	if (n)
		out_format(o, "%" PRIu64 " %s %s\n", n, n == 1 ? one : many, rest);
}

static void passed_line(struct out *o, const struct report *r)
{
	told(o, r, "passed_unknown", "call", "calls", "reached the vendor without being seen by ranktrace");
}

static void deepbind_line(struct out *o, const struct report *r)
{
	told(o, r, "deepbind", "library was", "libraries were",
	     "opened with RTLD_DEEPBIND, and calls from there are not seen: give --undo-deepbind true");
}

static void namespace_line(struct out *o, const struct report *r)
{
	told(o, r, "namespaces", "library was", "libraries were",
	     "opened by dlmopen() in a separate namespace, and calls from there are not seen");
}

/* `ranktrace check` ends with 1 for the same. What a dead process left in memory is not lost, but somebody has to save it. */
bool losses_any(const struct report *r)
{
	return r->lost || r->unreadable || report_missed(r) || (r->in_memory && !r->runs) || without_files_lost(r) || limit_is_reached(r) || r->nameless ||
	       r->stepless || key_values_number(&r->facts, "untimed", 0) || key_values_number(&r->facts, "lost_buffers", 0);
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	static grouped_line_of *const lines[] = {
		end_line,
		memory_line,
		dropped_line,
		buffers_line,
		dropped_steps_line,
		dropped_why_unselected_line,
		in_flight_line,
		damage_line,
		empty_line,
		untimed_line,
		later_line,
		unrecorded_line,
		undefined_lines,
		limit_lines,
		reading_lines,
		passed_line,
		deepbind_line,
		namespace_line,
	};
	struct grouped_lines all = { 0 };

	(void)top;
	out_text(o, "\nLost and not seen\n");
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof(lines) / sizeof(lines[0]); k++)
			grouped_lines_take(&all, lines[k], &reports[i]);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].without_count; k++)
			grouped_lines_take(&all, without_files_line, &reports[i].without_files[k]);
	if (!grouped_lines_print(&all, o))
		out_text(o, "nothing: every call made while recording is in the files\n");
}

static void json(struct out *o, const struct report *r)
{
	out_text(o, ",\"lost\":{\"anything\":");
	out_text(o, r->lost || r->unreadable ? "true" : "false");
	out_json_number(o, "empty_files", r->empty_files);
	out_json_number(o, "missing_chunks", r->loss.missing_chunks);
	out_json_number(o, "bad_chunks", r->loss.bad_chunks);
	out_json_number(o, "skipped_bytes", r->loss.skipped_bytes);
	out_json_number(o, "tail_bytes", r->loss.tail_bytes);
	out_json_number(o, "slots", r->lost_slots);
	out_json_number(o, "unknown_chunks", r->loss.unknown_chunks);
	out_json_number(o, "names", r->nameless);
	out_json_number(o, "steps", r->stepless);
	out_char(o, '}');
	dropped_steps_json(o, r);
}

const struct section losses_section = {
	.kept = sizeof(struct dropped_steps),
	.visitor.lost = dropped_steps_take,
	.free = dropped_steps_free,
	.parcel = dropped_steps_parcel,
	.text = text,
	.json = json,
	.csv = "lost,dropped_in",
};
