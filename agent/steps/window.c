#include "agent/steps/window.h"
#include <stdio.h>
#include "agent/base/text.h"
#include "agent/flush/file_text.h"
#include "agent/flush/totals.h"
#include "agent/flush/writer.h"
#include "agent/os/clock.h"
#include "agent/session/identity.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/selected.h"

static bool is_open;
static int64_t last_step;		 /* of the newest window */
static int64_t named_after = STEP_NULL;	 /* its first step */
static int64_t first_opened = STEP_NULL; /* the step that the first window began with, */
static int64_t last_opened;		 /* and the last one */

/* ---- whose ---- */

enum verdict window_verdict(void)
{
	if (settings.ranks.all || !settings.ranks.given)
		return VERDICT_WRITE;
	if (identity.rank < 0)
		return VERDICT_WAIT;
	return selection_has(&settings.ranks, identity.rank) ? VERDICT_WRITE : VERDICT_DISCARD;
}

bool window_rank_is_possible(void)
{
	if (identity.rank < 0 && identity_read())
		identity_publish();
	if (window_verdict() != VERDICT_DISCARD)
		return true;
	session_cause(CAUSE_NOT_SELECTED, 0);
	return false;
}

void window_tell_of_rank(void)
{
	if (window_verdict() == VERDICT_WAIT)
		log_once("no-rank", "the rank is unknown and ranks %s are selected: nothing is "
				    "recorded until a variable sets the rank: set RANKTRACE_RANK in each process, or give --ranks all",
			 session->ranks);
}

/* ---- open and closed ---- */

bool window_is_open(void)
{
	return is_open;
}

uint64_t window_number(void)
{
	return is_open ? atomic_load(&session->windows) : 0;
}

bool window_is_behind(int64_t n)
{
	return n > last_step;
}

/*
 * A run of steps is opened once, but for one case: before any source fired it may be step 1, and a source that
 * begins steps then says that it was not.
 */
static void name_of(char *name, size_t size, int64_t n)
{
	int64_t first = n, last = n;
	const char *again;

	last_step = INT64_MAX;
	if (selected_all()) {
		text_copy(name, size, "all");
		return;
	}
	selected_run(n, &first, &last);
	last_step = last;
	again = first == named_after ? "-again" : "";
	named_after = first;
	if (first == last)
		snprintf(name, size, "step-%lld%s", (long long)first, again);
	else if (last > INT64_MAX / 2)
		snprintf(name, size, "steps-%lld-end%s", (long long)first, again);
	else
		snprintf(name, size, "steps-%lld-%lld%s", (long long)first, (long long)last, again);
}

void window_open(int64_t n)
{
	char name[64], path[1024];

	if (first_opened == STEP_NULL)
		first_opened = n;
	last_opened = n;
	name_of(name, sizeof(name), n);
	writer_path(path, sizeof(path), name);
	flush_verdict(window_verdict());
	flush_open(name, path);
	is_open = true;
	file_text_file(session->facts, sizeof(session->facts), name);
	atomic_store(&session->state, SESSION_RECORDING);
}

void window_close(uint32_t last, const char *reason)
{
	is_open = false;
	atomic_store(&session->state, SESSION_DORMANT);
	flush_close(last, text_equal(reason, "exit") ? WINDOW_AT_EXIT : clock_ticks(), reason);
}

int64_t window_first(void)
{
	return first_opened;
}

void window_again(void)
{
	window_open(last_opened);
}

void window_forget(void)
{
	is_open = false;
	named_after = STEP_NULL;
	first_opened = STEP_NULL;
}
