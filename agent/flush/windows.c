#include "agent/flush/windows.h"
#include "agent/base/text.h"
#include "agent/record/doorbell.h"
#include "agent/session/session.h"

static struct window windows[WINDOWS];
static _Atomic unsigned int opened, finished; /* windows ever */

static struct window *at(unsigned int number)
{
	return &windows[number % WINDOWS];
}

/* ---- opened, and closed ---- */

/* What one of them is to be written for, both are. */
static void merge(struct window *w, const struct detail *detail, enum verdict verdict)
{
	int before = atomic_load(&w->verdict);

	w->detail.waits_for = w->detail.waits_for && detail->waits_for ? w->detail.waits_for | detail->waits_for : 0;
	if (before == VERDICT_DISCARD || verdict == VERDICT_WRITE)
		atomic_store(&w->verdict, (int)verdict);
	atomic_store(&w->last_epoch, 0);
	atomic_fetch_add(&w->merged, 1);
}

static void fill(struct window *w, const char *name, const char *path, const struct detail *detail)
{
	text_copy(w->name, sizeof(w->name), name);
	text_copy(w->path, sizeof(w->path), path);
	text_copy(w->roles, sizeof(w->roles), detail->roles);
	w->detail = *detail;
	w->detail.roles = w->roles;
	w->epochs = definitions_newest(LOG_EPOCHS);
}

void windows_open(const char *name, const char *path, const struct detail *detail, bool asked, enum verdict verdict)
{
	unsigned int n = atomic_load(&opened);

	if (n - atomic_load(&finished) >= WINDOWS) { /* the disk lags behind: into the last one's file with it */
		merge(at(n - 1), detail, verdict);
		return;
	}
	fill(at(n), name, path, detail);
	at(n)->asked = asked;
	atomic_store(&at(n)->merged, 0);
	/* For recovery, should we be killed before the file is there; a name in use is not touched. */
	if (!__atomic_load_n(&session->file[0], __ATOMIC_ACQUIRE) && n == atomic_load(&finished))
		text_copy(session->final, sizeof(session->final), path);
	atomic_store(&doorbell.window, (uint8_t)(n % WINDOWS));
	atomic_store(&at(n)->verdict, (int)verdict);
	atomic_store(&at(n)->last_epoch, 0);
	atomic_store(&opened, n + 1);
	atomic_fetch_add(&session->windows, 1);
	doorbell_ring();
}

void windows_close(uint32_t epoch, uint64_t end, const char *reason)
{
	unsigned int n = atomic_load(&opened);

	if (n) {
		atomic_store(&at(n - 1)->reason, reason);
		atomic_store(&at(n - 1)->end, end);
		atomic_store(&at(n - 1)->last_epoch, epoch);
	}
	doorbell_ring();
}

/* ---- are they to be written? ---- */

void windows_decide(enum verdict (*of)(const struct detail *detail))
{
	bool news = false;

	for (unsigned int i = atomic_load(&finished); i < atomic_load(&opened); i++) {
		int v = (int)of(&at(i)->detail);

		news |= atomic_exchange(&at(i)->verdict, v) != v;
	}
	if (news) /* it is asked at each step */
		doorbell_ring();
}

/* Is there a window of this verdict, from the first one on that is not written, or behind that? */
static bool any_is(enum verdict v, unsigned int behind)
{
	for (unsigned int i = atomic_load(&finished) + behind; i < atomic_load(&opened); i++)
		if (atomic_load(&at(i)->verdict) == (int)v)
			return true;
	return false;
}

bool windows_wait(void)
{
	return any_is(VERDICT_WAIT, 0);
}

bool windows_behind_are_wanted(void)
{
	return any_is(VERDICT_WRITE, 1);
}

/* ---- written ---- */

struct window *windows_current(void)
{
	return finished < atomic_load(&opened) ? at(finished) : NULL;
}

void windows_current_done(void)
{
	atomic_fetch_add(&finished, 1);
}

int32_t windows_current_pending(void)
{
	return atomic_load(&doorbell.pending_of[finished % WINDOWS]);
}

const struct window *windows_next(void)
{
	return finished + 1 < atomic_load(&opened) ? at(finished + 1) : NULL;
}

bool windows_crowd(void)
{
	return atomic_load(&opened) - finished > WINDOWS / 2;
}

const struct window *windows_last_done(void)
{
	return finished ? at(finished - 1) : NULL;
}

void windows_forget(void)
{
	atomic_store(&opened, 0);
	atomic_store(&finished, 0);
}
