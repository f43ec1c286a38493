/* dropped_why.c - the words of causes.h as sentences: calls are dropped by what ends recording, or else by full buffers. */
#include "analysis/report/dropped_why.h"

#include <inttypes.h>
#include <string.h>

#include "agent/format/causes.h"
#include "analysis/run/remedies.h"
#include "analysis/session/recover.h"

#define FULL "buffers were full (calls came faster than they could be written)"

static const char *const reasons[CAUSE_COUNT] = {
	[CAUSE_NONE] = FULL,
	[CAUSE_NO_RANK] = FULL,
	[CAUSE_NOT_SELECTED] = FULL,
	[CAUSE_MAX_SIZE] = "max_size was reached and recording stopped; " REMEDY_MAX_SIZE,
	[CAUSE_SAVE_PATH] = "save_path could not be written; " REMEDY_SAVE_PATH,
	[CAUSE_DISK_FULL] = "the disk was full, or a limit on the size of files was reached; make room, " REMEDY_FILE_LIMIT,
	[CAUSE_NO_DESCRIPTOR] = "no file could be opened; " REMEDY_NO_DESCRIPTOR,
	[CAUSE_NO_MEMORY] = "there was no memory for buffers; " REMEDY_NO_MEMORY,
	[CAUSE_NO_THREAD] = "the flush thread could not start; " REMEDY_NO_THREAD,
};

/* NULL: of this word nothing is known, or nothing that loses calls. */
static const char *reason(const struct report *r)
{
	const char *word = report_fact(r, "cause");
	uint32_t cause = *word ? session_cause_of(word) : CAUSE_NONE;

	if (cause == CAUSE_COUNT)
		return NULL;
	return session_cause_is_of_steps(cause) ? FULL : reasons[cause];
}

bool dropped_why_put(struct out *o, const struct report *r)
{
	uint64_t missed = report_missed(r);

	if (!missed)
		return false;
	out_format(o, "%" PRIu64 " of %" PRIu64 " calls dropped", missed, r->called);
	if (key_values_number(&r->facts, "gone", 0) == missed)
		out_text(o, ": they " RECOVERED_GONE);
	else if (reason(r))
		out_format(o, ": %s", reason(r));
	else
		out_format(o, " (%s)", report_fact(r, "cause"));
	return true;
}

void dropped_why_unselected_line(struct out *o, const struct report *r)
{
	uint32_t cause = session_cause_of(report_fact(r, "cause"));
	bool one = r->unselected == 1;

	if (!r->unselected)
		return;
	out_format(o, "%" PRIu64 " of %" PRIu64 " calls waited in memory for the rank", r->unselected, r->called);
	if (cause == CAUSE_NO_RANK || cause == CAUSE_ROLES_NO_RANK)
		out_text(o, ", which never came: " REMEDY_NO_RANK "\n");
	else if (cause == CAUSE_NOT_SELECTED)
		out_format(o, ", and %s left out: it is not selected\n", one ? "is" : "are");
	else
		out_format(o, ", and %s left out: %s recorded on other ranks only\n", one ? "is" : "are", one ? "its role is" : "their roles are");
}
