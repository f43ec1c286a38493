#include "agent/steps/window.h"
#include <stdio.h>
#include <string.h>
#include "agent/base/text.h"
#include "agent/flush/file_text.h"
#include "agent/flush/flush.h"
#include "agent/flush/totals.h"
#include "agent/flush/writer.h"
#include "agent/os/clock.h"
#include "agent/session/definitions.h"
#include "agent/session/identity.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/roles.h"
#include "agent/steps/selected.h"
#include "agent/steps/wanted.h"

static bool is_open;
static struct wanted newest;		 /* window, */
static char told_roles[DETAIL_TEXT];	 /* and what was told last of the roles that it is for */
static int64_t first_opened = STEP_NULL; /* the step that the first window began with, */
static int64_t last_opened;		 /* and the last one */

/* ---- whose ---- */

enum verdict window_verdict(void)
{
	return settings.ranks.given ? identity_verdict(&settings.ranks) : VERDICT_WRITE;
}

static enum verdict verdict_of(const struct detail *detail)
{
	enum verdict of_all = window_verdict();

	return of_all == VERDICT_WRITE && detail->waits_for ? roles_verdict(detail->waits_for) : of_all;
}

void window_decide(void)
{
	windows_decide(verdict_of);
}

bool window_rank_is_possible(void)
{
	if ((identity.rank < 0 || identity_may_change()) && identity_read())
		identity_publish();
	if (window_verdict() != VERDICT_DISCARD)
		return true;
	session_cause(CAUSE_NOT_SELECTED, 0);
	return false;
}

void window_tell_of_rank(void)
{
	if (window_verdict() == VERDICT_WAIT)
		log_once("no-rank", "the rank is unknown and ranks %s are selected: calls of selected steps wait in "
				    "memory until it is known: set RANKTRACE_RANK in each process, or give --ranks all",
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

bool window_is(const struct wanted *w)
{
	return wanted_same(w, &newest) && (w->detail.waits_for == newest.detail.waits_for ||
					   (verdict_of(&w->detail) == VERDICT_WRITE && verdict_of(&newest.detail) == VERDICT_WRITE));
}

void window_go_on(const struct wanted *w)
{
	char text[DETAIL_TEXT];

	newest.detail = w->detail;
	file_text_roles(text, sizeof(text), &w->detail);
	if (text_equal(text, told_roles))
		return;
	definitions_text(DEF_IDENTITY, 0, text);
	text_copy(told_roles, sizeof(told_roles), text);
}

const struct detail *window_detail(void)
{
	return &newest.detail;
}

bool window_has(int64_t step)
{
	return is_open && (newest.first == STEP_NULL || (step >= newest.first && step <= newest.last));
}

/*
 * A window is opened anew where a stage goes on behind another one that overlaps it, and where what was step 1 before any
 * source had fired turns out not to be: its name then gets .2, .3 ...
 */
static void make_unlike_others(char name[WINDOW_NAME])
{
	uint32_t times = place_count_window(newest.stage, newest.first, newest.from);
	size_t used = strlen(name);

	if (times > 1)
		snprintf(name + (used < WINDOW_NAME - 12 ? used : WINDOW_NAME - 12), 12, ".%u", times);
}

void window_open(const struct wanted *w, int64_t step)
{
	char name[WINDOW_NAME], path[1024];

	if (first_opened == STEP_NULL)
		first_opened = step;
	last_opened = step;
	newest = *w;
	file_text_roles(told_roles, sizeof(told_roles), &w->detail);
	wanted_name(w, name);
	make_unlike_others(name);
	writer_path(path, sizeof(path), name);
	flush_prepare(); /* if that fails, calls are counted, and it is tried again with the next window */
	windows_open(name, path, &newest.detail, selected_asked(step), verdict_of(&newest.detail));
	is_open = true;
	file_text_file(session->facts, sizeof(session->facts), name, &newest.detail);
	atomic_store(&session->state, SESSION_RECORDING);
}

void window_close(uint32_t last, const char *reason)
{
	is_open = false;
	atomic_store(&session->state, SESSION_DORMANT);
	windows_close(last, text_equal(reason, "exit") ? WINDOW_AT_EXIT : clock_ticks(), reason);
}

int64_t window_first(void)
{
	return first_opened;
}

void window_again(void)
{
	struct wanted again = newest;

	window_open(&again, last_opened);
}

void window_forget(void)
{
	is_open = false;
	first_opened = STEP_NULL;
}
