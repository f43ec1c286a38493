/* text.c - the report as short tables for a terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"
#include "analysis/report/allocators.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/report/ranges.h"

static const char *fact(const struct report *r, const char *key, const char *otherwise)
{
	const char *value = key_values_get(&r->facts, key);

	return value && *value ? value : otherwise;
}

/* Names come from the file: they must not move our cursor. */
static void put_name(struct out *o, const char *name)
{
	char cell[64];

	snprintf(cell, sizeof(cell), "%-20.60s ", name);
	out_clean(o, cell);
}

/* ---- processes ---- */

static const char *end_word(const struct report *r, char *cell)
{
	if (r->unreadable)
		return "unreadable";
	if (r->runs)
		return "none: runs now";
	if (r->has_session)
		return "none: to recover";
	if (r->recovered)
		return "none, recovered";
	if (!r->clean_end)
		return "none: running or killed";
	if (!r->signal)
		return "clean";
	snprintf(cell, COLUMN, "killed, signal %d", (int)r->signal);
	return cell;
}

static void processes(struct out *o, const struct report *reports, size_t count)
{
	uint64_t kept = 0, files = 0;
	char cell[COLUMN];

	for (size_t i = 0; i < count; i++) {
		kept += reports[i].kept;
		files += reports[i].files;
	}
	out_format(o, "%zu process%s, %" PRIu64 " file%s, %" PRIu64 " event%s\n\n",
		   count, count == 1 ? "" : "es",
		   files, files == 1 ? "" : "s", kept, kept == 1 ? "" : "s");
	out_format(o, "%5s %-20s %8s %6s %10s %10s %8s %9s  %s\n", "RANK", "HOST", "PID", "FILES",
		   "CALLED", "KEPT", "DROPPED", "IN FLIGHT", "END");
	for (size_t i = 0; i < count; i++) {
		const struct report *r = &reports[i];

		out_format(o, "%5s ", column_rank(r, cell));
		put_name(o, fact(r, "host", "?"));
		out_format(o, "%8" PRIu64 " %6zu ", r->pid, r->files);
		out_format(o, "%10" PRIu64 " %10" PRIu64 " ", r->called, r->kept);
		out_format(o, "%8" PRIu64 " %9" PRId64 "  %s\n", r->dropped, r->in_flight, end_word(r, cell));
	}
}

/* ---- steps ---- */

/* Nothing but the program's end ended its last step. */
static const char *step_end(const struct report *r, const struct step_row *s)
{
	char last[COLUMN];

	if (s->step == STEP_NULL)
		return "";
	if (!s->ended)
		return ", not ended";
	snprintf(last, sizeof(last), "%" PRId64, s->step);
	return !strcmp(fact(r, "reason", ""), "exit") && !strcmp(fact(r, "last_step", ""), last) ? ", to the exit" : "";
}

static bool communicates(const struct report *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i].step_count; k++)
			if (reports[i].steps[k].sums[WORK_COMMUNICATION])
				return true;
	return false;
}

static void step(struct out *o, const struct report *r, const struct step_row *s, bool communication)
{
	char c[6][COLUMN], number[COLUMN] = "-";

	if (s->step != STEP_NULL)
		snprintf(number, COLUMN, "%" PRId64, s->step);
	out_format(o, "%5s %8s %13s %9" PRIu64 " ", column_rank(r, c[0]), number, column_duration(s->end - s->begin, c[1]), s->events);
	out_format(o, "%13s %13s ", column_duration(s->sums[WORK_COMPUTE], c[2]), column_duration(s->sums[WORK_COPY], c[3]));
	if (communication)
		out_format(o, "%13s ", column_duration(s->sums[WORK_COMMUNICATION], c[5]));
	out_format(o, "%13s  %s%s\n", column_duration(s->idle, c[4]), s->by_device ? "device" : "host", step_end(r, s));
}

/* Why a step is told by the host's times. */
enum why_host { WHY_CONTENTS,
		WHY_NO_WORK,
		WHY_END,
		WHY_UNTIMED,
		WHY_BLOCKING,
		WHY_COUNT };

static enum why_host why_host(const struct report *r, const struct step_row *s)
{
	if (!(contents_of(fact(r, "contents", "")) & CONTENT_DEVICE))
		return WHY_CONTENTS;
	if (!s->sums[WORK_COMPUTE] && !s->sums[WORK_COPY] && !s->sums[WORK_COMMUNICATION])
		return WHY_NO_WORK;
	if (!r->clean_end)
		return WHY_END;
	return key_values_number(&r->facts, "untimed", 0) ? WHY_UNTIMED : WHY_BLOCKING;
}

static void say_why_host(struct out *o, const bool why[WHY_COUNT])
{
	static const char *const reasons[WHY_COUNT] = {
		[WHY_CONTENTS] = "add device to --contents for the device's own.\n",
		[WHY_NO_WORK] = "device is in --contents, but no launch and no copy was recorded there.\n",
		[WHY_END] = "device is in --contents, but the process runs, or ended too early to read the times.\n",
		[WHY_UNTIMED] = "device is in --contents, but the device's times could not be had.\n",
		[WHY_BLOCKING] = "device is in --contents, but what was called has no time of the device's own: a copy that blocks.\n",
	};

	out_text(o, "TIMES host: no device times there, so compute and copy are the time "
		    "inside the calls;\n");
	for (unsigned int i = 0; i < WHY_COUNT; i++)
		if (why[i])
			out_text(o, reasons[i]);
}

/* Ranks of one run tell of the same sources, most often: each is named once. */
static uint64_t times_by(const struct report *reports, size_t count, const char *source, bool *before, size_t i)
{
	uint64_t sum = 0;

	*before = false;
	for (size_t k = 0; k < count; k++) {
		for (size_t n = 0; n < reports[k].source_count; n++) {
			if (strcmp(reports[k].sources[n].name, source))
				continue;
			*before |= k < i;
			sum += reports[k].sources[n].count;
		}
	}
	return sum;
}

/* What the word of a source stands for; of a newer version the word. */
static const char *source_meaning(const char *source)
{
	static const struct {
		const char *source, *meaning;
	} meanings[] = {
		{ "profiling", "OpenCL's profiling of commands" },
		{ "events", "two events of ours around the work, in its stream" },
		{ "mspti", "records of CANN's msPTI" },
	};

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (!strcmp(source, meanings[i].source))
			return meanings[i].meaning;
	return source;
}

static void say_sources(struct out *o, const struct report *reports, size_t count)
{
	const char *between = "TIMES device: from ";
	bool before;

	for (size_t i = 0; i < count; i++) {
		for (size_t n = 0; n < reports[i].source_count; n++) {
			const char *source = reports[i].sources[n].name;
			uint64_t sum = times_by(reports, count, source, &before, i);

			if (before)
				continue;
			out_text(o, between);
			out_clean(o, source_meaning(source));
			out_format(o, " (%" PRIu64 ")", sum);
			between = ", ";
		}
	}
	if (*between == ',')
		out_text(o, "\n");
}

static void steps(struct out *o, const struct report *reports, size_t count)
{
	bool host = false, why[WHY_COUNT] = { false };
	bool communication = communicates(reports, count);

	out_format(o, "\nSteps\n%5s %8s %13s %9s %13s %13s %s%13s  %s\n", "RANK", "STEP",
		   "DURATION", "EVENTS", "COMPUTE", "COPY", communication ? "COMMUNICATION " : "", "IDLE", "TIMES");
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < reports[i].step_count; k++) {
			step(o, &reports[i], &reports[i].steps[k], communication);
			if (reports[i].steps[k].by_device)
				continue;
			host = true;
			why[why_host(&reports[i], &reports[i].steps[k])] = true;
		}
	}
	say_sources(o, reports, count);
	if (host)
		say_why_host(o, why);
}

/* ---- kernels and copies, over all processes ---- */

static void kernels(struct out *o, const struct report *reports, size_t count, size_t top)
{
	char host[COLUMN], device[COLUMN];
	size_t n;
	struct kernel_row *rows = kernel_rows_join(reports, count, false, &n);

	if (n)
		out_format(o, "\nTop kernels (%zu of %zu)\n%10s %13s %13s  %-9s %s\n",
			   n < top ? n : top, n, "LAUNCHES", "DEVICE", "HOST", "KIND", "NAME");
	for (size_t i = 0; i < n && i < top; i++) {
		out_format(o, "%10" PRIu64 " %13s %13s  %-9s ", rows[i].count,
			   rows[i].timed ? column_duration(rows[i].device_ns, device) : "-",
			   column_duration(rows[i].host_ns, host), kind_words[rows[i].kind]);
		out_clean(o, rows[i].name);
		out_char(o, '\n');
	}
	free(rows);
}

static void copies(struct out *o, const struct report *reports, size_t count)
{
	char c[3][COLUMN];
	bool head = false;

	for (size_t d = 0; d < DIR_COUNT; d++) {
		struct copy_row sum = { 0 };

		for (size_t i = 0; i < count; i++) {
			const struct copy_row *row = &reports[i].copies[d];

			sum.count += row->count;
			sum.bytes += row->bytes;
			sum.host_ns += row->host_ns;
			sum.device_ns += row->device_ns;
			sum.timed += row->timed;
		}
		if (!sum.count)
			continue;
		if (!head)
			out_format(o, "\nCopies\n%-9s %10s %13s %13s %13s\n", "DIRECTION", "COUNT",
				   "BYTES", "DEVICE", "HOST");
		head = true;
		out_format(o, "%-9s %10" PRIu64 " %13s %13s %13s\n", d ? direction_words[d] : "?",
			   sum.count, column_bytes(sum.bytes, c[0]),
			   sum.timed ? column_duration(sum.device_ns, c[1]) : "-",
			   column_duration(sum.host_ns, c[2]));
	}
}

static void memory_row(struct out *o, const struct report *r, enum place place)
{
	const struct memory_sum *m = &r->places[place];
	char c[3][COLUMN];

	out_format(o, "%5s %-6s %12" PRIu64 " %10" PRIu64 " %13s %10" PRIu64 " %13s\n", column_rank(r, c[0]), place_words[place],
		   m->allocations, m->frees, column_bytes(m->peak_bytes, c[1]), m->unfreed, column_bytes(m->unfreed_bytes, c[2]));
}

static void memory(struct out *o, const struct report *reports, size_t count)
{
	bool head = false;

	for (size_t i = 0; i < count * PLACES; i++) {
		const struct report *r = &reports[i / PLACES];
		const struct memory_sum *m = &r->places[i % PLACES];

		if (!m->allocations && !m->frees)
			continue;
		if (!head)
			out_format(o, "\nMemory (while recorded)\n%5s %-6s %12s %10s %13s %10s %13s\n", "RANK", "WHERE", "ALLOCATIONS",
				   "FREES", "PEAK", "UNFREED", "UNFREED BYTES");
		head = true;
		memory_row(o, r, i % PLACES);
	}
}

void report_text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	processes(o, reports, count);
	duplicate_ranks_text(o, reports, count);
	steps(o, reports, count);
	kernels(o, reports, count, top);
	shaped_text(o, reports, count, top);
	copies(o, reports, count);
	ranges_text(o, reports, count, top);
	memory(o, reports, count);
	allocators_text(o, reports, count);
	failures_text(o, reports, count, top);
	losses_text(o, reports, count);
}
