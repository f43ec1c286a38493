#include "agent/flush/flush.h"
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "agent/base/process.h"
#include "agent/base/save_path.h"
#include "agent/base/text.h"
#include "agent/flush/chunks.h"
#include "agent/flush/drain.h"
#include "agent/flush/file_definitions.h"
#include "agent/flush/totals.h"
#include "agent/flush/windows.h"
#include "agent/flush/writer.h"
#include "agent/os/apart.h"
#include "agent/os/clock.h"
#include "agent/os/futex.h"
#include "agent/os/threads.h"
#include "agent/record/doorbell.h"
#include "agent/record/gate.h"
#include "agent/record/rings.h"
#include "agent/session/definitions.h"
#include "agent/session/log.h"
#include "agent/session/session.h"

#define IDLE_MS	      100	   /* between two looks at the rings inside a window: one that fills is told of */
#define BEHIND_MS     20	   /* the same behind it, while another window is open, at most */
#define IN_FLIGHT_NS  100000000ull /* how long a closed window waits for calls still inside the vendor */
#define LAST_MS	      50	   /* between two looks for the last thread, once the first is gone */
#define LOOKS	      4		   /* so often, in looks at the rings, is a look for the last thread */
#define STEPS_UNSEEN  128	   /* so many in a window, and each wakes us: they are defined faster than written */
#define SPARE_RINGS   2
#define MANY_RINGS_MS 1000 /* after the last window: until memory that a burst took is given back */

_Static_assert(SHM_SIZE_MIN >= (1 + SPARE_RINGS) * (SESSION_PAGE + RING_SLOTS * sizeof(struct event)) + DEFINITIONS_AT_FIRST,
	       "what is accepted must do for a thread");

static _Atomic uint32_t done_word; /* another when the flush thread has ended */
static _Atomic bool leaving, hurry;
static _Atomic bool alone;	    /* the process's first thread has ended, and so have all others but ours */
static bool outlived;		    /* not all at once: others went on without it */
static _Atomic uint32_t seen_epoch; /* up to this one all is written */
static bool told_waiting;	    /* of the current window, that its rank is waited for */
static int no_thread;		    /* why not */

void flush_step(uint32_t epoch)
{
	if (epoch - atomic_load(&seen_epoch) > STEPS_UNSEEN)
		doorbell_ring();
}

static void look_for_others(void)
{
	unsigned int threads = threads_without_first();

	if (threads)
		atomic_store(&doorbell.first_gone, true);
	atomic_store(&alone, threads == (apart_here() ? 3 : 2)); /* ours are two then: one waits for the other */
	outlived |= threads && !atomic_load(&alone);
}

/* A program of one thread may end by a system call (a child of clone() does): what it ended with is the process's status, were ours not the last. */
static void end_as_program(void)
{
	int status = outlived ? 0 : process_first_threads_end();

	if (WIFEXITED(status) && WEXITSTATUS(status))
		syscall(SYS_exit, WEXITSTATUS(status));
}

/*
 * The flush thread's sleep. Where the first thread left by pthread_exit(), libc ends the process with its
 * last thread; that must not become ours, so it looks and ends, too, and libc goes on as without us.
 */
static void sleep_until_woken(uint32_t seen, unsigned int ms)
{
	static unsigned int looks;

	atomic_store(&doorbell.idle, !ms);
	if (!ms || ++looks % LOOKS == 0)
		look_for_others();
	if (!atomic_load(&alone))
		futex_wait(&doorbell.word, seen, ms || !atomic_load(&doorbell.first_gone) ? ms : LAST_MS);
	atomic_store(&doorbell.idle, false);
}

/* Of those that began before the window ended. */
static bool calls_in_flight(uint64_t window_end)
{
	for (unsigned int i = 0; i < rings_count(); i++) {
		struct ring_header *r = rings_at(i);

		uint64_t call = r && atomic_load(&r->state) == RING_OWNED ? atomic_load(&r->call_hook) : 0;

		if (call && !(call & CALL_LEFT_OUT) && atomic_load(&r->call_begin) < window_end)
			return true;
	}
	return false;
}

static uint64_t monotonic_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void release_epochs(void)
{
	const struct window *next = windows_next();

	file_definitions_release(next ? &next->epochs : NULL);
}

static uint64_t window_end(const struct window *w)
{
	return atomic_load(&w->last_epoch) && !atomic_load(&hurry) ? atomic_load(&w->end) : WINDOW_AT_EXIT;
}

/* Beside a window that is open already nobody rings for the last time of this one, and what that one records waits in its rings. */
static bool is_last_look(uint64_t since)
{
	bool unsure = atomic_load(&doorbell.unsure);

	if (atomic_load(&hurry) || atomic_load(&alone))
		return true;
	if (!windows_next())
		return !doorbell_awaits_times() && !unsure;
	return (windows_current_pending() <= 0 && !unsure) || drain_is_due(since) || windows_crowd();
}

/*
 * Waits for calls inside the vendor, for device times, and to know whose step it was; all bounded, none in the trainer's way.
 * Returns how many times are still to come and may yet.
 */
static uint64_t wait_for_stragglers(const struct window *w)
{
	uint64_t since = clock_now_ns();
	unsigned int ms = 1;

	while (calls_in_flight(window_end(w)) && clock_now_ns() - since < IN_FLIGHT_NS && !atomic_load(&hurry))
		futex_wait(&done_word, atomic_load(&done_word), 1);
	for (;; ms = ms < BEHIND_MS ? 2 * ms : ms) {
		uint32_t seen = atomic_load(&doorbell.word);
		/* Asked first: a time that was the last is in its ring by then. */
		int32_t times_later = atomic_load(&hurry) ? 0 : windows_current_pending();
		bool last = is_last_look(since);

		drain_rings(atomic_load(&w->last_epoch), true);
		if (last)
			return times_later > 0 ? (uint64_t)times_later : 0;
		sleep_until_woken(seen, windows_next() ? ms : 0);
		rings_prepare(SPARE_RINGS);
	}
}

/* The program ends, and nobody will ask for the times that are still to come. */
static void give_up_times(void)
{
	int64_t pending = atomic_load(&hurry) ? atomic_exchange(&doorbell.pending, 0) : 0;

	if (pending > 0)
		atomic_fetch_add(&session->untimed, (uint64_t)pending);
}

/* A file that must not be written keeps nothing, but everything is counted. */
static void open_file(const struct window *w)
{
	static bool tried;
	bool is_limit;
	int error;

	if (writer_is_open() || chunks_discarding())
		return;
	error = writer_open(w->path);
	if (error == -EBADF || error == -ENOTDIR) /* a program that just now closed all descriptors closed ours */
		error = writer_open(w->path);
	if (error) {
		is_limit = chunks_cause_of(error) == CAUSE_NO_DESCRIPTOR;
		chunks_discard(is_limit ? CAUSE_NO_DESCRIPTOR : CAUSE_SAVE_PATH, -error);
		if (!tried)
			log_once("save-path", "cannot write %s: %s (error %d); recording stops, the job runs on: %s",
				 session->save_path, error == -EPERM ? PLACE_REFUSED : log_errno(-error), -error,
				 is_limit ? "raise the limit of open files (ulimit -n)" : "give a writable --save-path");
		tried = true;
		return;
	}
	drain_begin(w->name, w->epochs, &w->detail);
}

static enum session_cause cause_of_waiting(const struct window *w)
{
	return w->detail.waits_for ? CAUSE_ROLES_NO_RANK : CAUSE_NO_RANK;
}

/* Whoever looks at the process while it does nothing but wait for its rank is told. */
static void tell_of_waiting(const struct window *w, bool waits)
{
	if (waits && !told_waiting)
		told_waiting = session_cause(cause_of_waiting(w), 0);
	if (waits || !told_waiting)
		return;
	session_cause_gone(cause_of_waiting(w));
	told_waiting = false;
}

/* Acts on what is known of its rank. */
static enum verdict obey(const struct window *w)
{
	enum verdict v = (enum verdict)atomic_load(&w->verdict);

	tell_of_waiting(w, v == VERDICT_WAIT && atomic_load(&w->last_epoch));
	if (v == VERDICT_DISCARD)
		chunks_leave_out(w->detail.waits_for ? CAUSE_ROLES_AWAY : CAUSE_NOT_SELECTED);
	else if (v == VERDICT_WRITE)
		open_file(w);
	return v;
}

/* Of one that is closed, and waits for its rank: others that are to be written find no room behind it. */
static bool is_in_the_way(void)
{
	return (rings_are_out() || windows_crowd()) && windows_behind_are_wanted();
}

/* False: it ends here, but flush_finish() will write what the program still does at its exit. */
static bool record_window(struct window *w)
{
	uint64_t times_later;

	chunks_window(w->asked);
	for (;;) {
		uint32_t seen = atomic_load(&doorbell.word), epoch = atomic_load(&session->epoch);
		enum verdict v = obey(w);

		if (atomic_load(&hurry) || (atomic_load(&w->last_epoch) && (v != VERDICT_WAIT || is_in_the_way())))
			break;
		if (atomic_load(&alone))
			return false;
		if (v != VERDICT_WAIT) /* until then rings are bounded, and nothing goes to disk */
			drain_rings(0, false);
		release_epochs();
		atomic_store(&seen_epoch, epoch);
		sleep_until_woken(seen, v == VERDICT_WAIT ? 0 : IDLE_MS);
		rings_prepare(SPARE_RINGS);
	}
	if (obey(w) == VERDICT_WAIT)
		chunks_leave_out(cause_of_waiting(w));
	told_waiting = false; /* that it never came stays said */
	times_later = wait_for_stragglers(w);
	give_up_times();
	if (chunks_are_wanted())
		session_beyond(LIMIT_merged_windows, atomic_load(&w->merged));
	drain_end(atomic_load(&w->last_epoch) ? atomic_load(&w->reason) : "exit", window_end(w), times_later);
	return true;
}

/* Behind a limit the last windows got no file that could tell of their calls: one more, with their number alone. */
static void write_totals_only(void)
{
	const struct window *last = windows_last_done();

	if (!last || drain_totals_written() || atomic_load(&last->verdict) != VERDICT_WRITE ||
	    atomic_load(&session->cause) == CAUSE_SAVE_PATH || atomic_load(&session->cause) == CAUSE_NO_DESCRIPTOR) /* refused before */
		return;
	if (!writer_open(last->path))
		drain_end("exit", WINDOW_AT_EXIT, 0);
}

static void write_windows(void)
{
	for (;;) {
		uint32_t seen = atomic_load(&doorbell.word);
		struct window *w = windows_current();

		if (w) {
			if (!record_window(w))
				return;
			windows_current_done();
			gate_times_done();
			continue;
		}
		if (atomic_load(&leaving) || atomic_load(&hurry) || atomic_load(&alone))
			break;
		sleep_until_woken(seen, rings_are_many() ? MANY_RINGS_MS : 0);
		rings_prepare(SPARE_RINGS);
	}
	write_totals_only();
}

static void work(void *unused)
{
	(void)unused;
	rings_prepare(SPARE_RINGS); /* before it waits: calls may be on their way */
	definitions_prepare();
	drain_prepare();
	writer_prepare();
	write_windows();
	writer_let_go();
	if (!atomic_load(&hurry))
		rings_no_more();
}

/*
 * The thread that libc knows only waits for the one that works: it keeps the program's descriptors open, should the program's
 * threads all end and this one be left to end the process.
 */
static void *flush_thread(void *unused)
{
	apart_run(work, unused);
	if (atomic_load(&alone))
		threads_unblock();
	atomic_store(&doorbell.attended, false);
	atomic_fetch_add(&done_word, 1);
	futex_wake(&done_word);
	if (atomic_load(&alone))
		end_as_program();
	return NULL;
}

static void write_rest(void *unused)
{
	(void)unused;
	write_windows();
	writer_let_go();
}

void flush_prepare(void)
{
	bool already = false;

	if (!atomic_compare_exchange_strong(&doorbell.attended, &already, true))
		return;
	no_thread = threads_start(flush_thread);
	if (!no_thread)
		return;
	atomic_store(&doorbell.attended, false);
	log_once("no-thread", "cannot start the flush thread: %s (error %d); nothing is recorded, the job runs on",
		 log_errno(no_thread), no_thread);
}

bool flush_running(void)
{
	return atomic_load(&doorbell.attended);
}

/* Nobody could write what the rings hold: it is counted as lost, and the disk not touched. */
static void count_as_lost(void)
{
	chunks_discard(CAUSE_NO_THREAD, no_thread);
	drain_rings(0, true);
	drain_end("exit", WINDOW_AT_EXIT, 0);
}

void flush_no_more(void)
{
	atomic_store(&leaving, true);
	doorbell_ring();
}

bool flush_finish(unsigned int milliseconds)
{
	uint64_t deadline = monotonic_ms() + milliseconds;

	atomic_store(&hurry, true);
	doorbell_ring();
	if (!atomic_load(&doorbell.attended) && !atomic_load(&alone) && windows_current())
		count_as_lost();
	while (atomic_load(&doorbell.attended)) {
		uint32_t seen = atomic_load(&done_word);
		uint64_t now = monotonic_ms();

		if (now >= deadline)
			return false;
		if (atomic_load(&doorbell.attended))
			futex_wait(&done_word, seen, deadline - now < 50 ? (unsigned int)(deadline - now) : 50);
	}
	if (atomic_load(&alone)) /* the thread that ends the process is ours, and is here */
		apart_run(write_rest, NULL);
	return true;
}

void flush_forget(void)
{
	windows_forget();
	atomic_store(&leaving, false);
	atomic_store(&hurry, false);
	atomic_store(&alone, false);
	outlived = false;
	told_waiting = false;
	doorbell_forget();
	drain_forget();
}
