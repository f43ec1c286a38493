#include "agent/flush/file_text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "agent/os/apart.h"
#include "agent/os/clock.h"
#include "agent/record/rings.h"
#include "agent/session/guest.h"
#include "agent/session/identity.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/session/shared_memory.h"
#include "config/option.h"

struct text {
	char *at;
	size_t left;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(t->at, t->left, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= t->left) { /* what does not fit whole is left out */
		t->at[0] = '\0';
		return;
	}
	t->at += n;
	t->left -= (size_t)n;
}

static void add_rank(struct text *t)
{
	if (atomic_load(&session->rank) < 0)
		return;
	add(t, "rank=%lld\nrank_source=%s\n", (long long)atomic_load(&session->rank), session->rank_source);
	if (__atomic_load_n(&session->worker_group[0], __ATOMIC_ACQUIRE))
		add(t, "worker_group=%s\n", session->worker_group);
}

static const char *clock_name(void)
{
	return clock_kind == 1 ? "tsc" : clock_kind == 2 ? "cntvct"
							 : "ns";
}

static void add_setting(struct text *t, enum option_id id)
{
	char value[64];

	option_text(&settings, id, value, sizeof(value));
	add(t, "%s=%s\n", options[id].key, value);
}

/* Of the window, where something is said of roles; a process's own level and contents are what all of them want together. */
static void add_roles(struct text *t, const struct detail *detail)
{
	char value[64];

	if (!*detail->roles)
		return;
	type_LEVEL.text(&detail->level, value, sizeof(value));
	add(t, "roles=%s\nwindow_level=%s\n", detail->roles, value);
	type_CONTENTS.text(&detail->contents, value, sizeof(value));
	add(t, "window_contents=%s\n", value);
}

void file_text_roles(char *text, size_t size, const struct detail *detail)
{
	struct text t = { text, size };

	text[0] = '\0';
	add_roles(&t, detail);
}

/* Of the batches that the window is made of, or of steps. */
static void add_schedule(struct text *t, const struct detail *detail)
{
	char value[sizeof(session->schedule)];

	if (!detail->schedule && !session->schedule[0])
		return;
	if (detail->schedule)
		schedule_text(detail->schedule, value, sizeof(value));
	add(t, "schedule=%s\n", detail->schedule ? value : session->schedule);
}

/* "" until one has fired; its first letter comes last. */
static const char *step_source(void)
{
	return __atomic_load_n(&session->step_source[0], __ATOMIC_ACQUIRE) ? session->step_source : "";
}

static void add_loaded(struct text *t)
{
	if (atomic_load(&session->loaded))
		add(t, "loaded=%lld\n", (long long)atomic_load(&session->loaded));
}

/* What the step source was taken for, which is seen with it. */
static void add_waited(struct text *t)
{
	if (*step_source() && session->waited_for[0])
		add(t, "waited_for=%s\nwaited_seconds=%llu\n", session->waited_for, (unsigned long long)session->waited_seconds);
}

void file_text_file(char *text, size_t size, const char *window, const struct detail *detail)
{
	struct text t = { text, size };
	struct clock_triple now = clock_read();

	add(&t, "version=" RANKTRACE_VERSION "\nhost=%s\npid=%u\nfile_id=%016llx\njob=%s\nlaunch=%s\n",
	    session->host, session->pid, (unsigned long long)session->file_id, session->job, session->launch);
	add_rank(&t);
	add_loaded(&t);
	if (identity.world >= 0)
		add(&t, "world=%lld\n", (long long)identity.world);
	if (identity.local_rank >= 0)
		add(&t, "local_rank=%lld\n", (long long)identity.local_rank);
	add(&t, "window=%s\nclock=%s\ntick_hz=%llu\n", window, clock_name(), (unsigned long long)clock_hz());
	if (clock_refused_ns)
		add(&t, "counter_ns=%llu\n", (unsigned long long)clock_refused_ns);
	add_setting(&t, OPTION_level);
	add_setting(&t, OPTION_contents);
	if (settings.contents & CONTENT_DEVICE && settings.device_every > 1)
		add_setting(&t, OPTION_device_every);
	if (settings.analysis) {
		add_setting(&t, OPTION_analysis);
		add_setting(&t, OPTION_export_type);
	}
	add_roles(&t, detail);
	add_schedule(&t, detail);
	if (detail->discrete)
		add(&t, "discrete=true\n");
	add(&t, "step_source=%s\nsteps=%s\nranks=%s\nmax_size=%llu\ncommand=%s\nbacking=%s\n"
		"descriptors=%s\nstart_ns=%llu\n",
	    step_source(), session->steps, session->ranks,
	    (unsigned long long)settings.max_size, identity.command, shared_memory_backing(), apart_way(),
	    (unsigned long long)now.realtime);
	add_waited(&t);
}

static void add_lines(struct text *t, const char *key, const char *lines)
{
	while (*lines) {
		const char *end = strchrnul(lines, '\n');

		add(t, "%s=%.*s\n", key, (int)(end - lines), lines);
		lines = *end ? end + 1 : end;
	}
}

/* What found no room in tables. */
static void add_limits(struct text *t)
{
	static const char *const keys[] = {
#define LIMIT(key) #key,
		SESSION_LIMITS(LIMIT)
#undef LIMIT
	};

	for (unsigned int i = 0; i < SESSION_LIMIT_COUNT; i++)
		if (atomic_load(&session->beyond[i]))
			add(t, "%s=%llu\n", keys[i], (unsigned long long)atomic_load(&session->beyond[i]));
}

/* What the hooks have counted. */
static void add_hooks(struct text *t, const struct agent_guest *guest)
{
	for (unsigned int i = 0; i < session->hooks; i++)
		if (atomic_load(&session->unrecorded[i]))
			add(t, "unrecorded.%s=%llu\n", guest->hook_name(i),
			    (unsigned long long)atomic_load(&session->unrecorded[i]));
}

/* Which calls the program's end leaves unfinished. Those that the level leaves out are not in the totals. */
static void add_calls(struct text *t, const struct agent_guest *guest)
{
	for (unsigned int i = 0; i < rings_count(); i++) {
		const struct ring_header *r = rings_at(i);
		uint64_t hook = r && atomic_load(&r->state) == RING_OWNED ? atomic_load(&r->call_hook) : 0;

		if (hook && hook <= session->hooks)
			add(t, "in_call.%u=%s\n", atomic_load(&r->tid), guest->hook_name((unsigned int)hook - 1));
	}
}

void file_text_totals(char *text, size_t size, const char *reason, struct totals totals)
{
	const struct agent_guest *guest = atomic_load(&agent_guest);
	char libraries[sizeof(session->libraries)];
	struct text t = { text, size };

	add(&t, "reason=%s\nentered=%llu\ndropped=%llu\nuntimed=%llu\ntimes_later=%llu\ncause=%s\nstep_source=%s\n", reason,
	    (unsigned long long)totals.entered, (unsigned long long)totals.dropped,
	    (unsigned long long)atomic_load(&session->untimed), (unsigned long long)totals.times_later, session_cause_word(atomic_load(&session->cause)),
	    step_source());
	add_waited(&t);
	add_rank(&t);
	add_loaded(&t);
	if (atomic_load(&session->last_step) != STEP_NULL)
		add(&t, "last_step=%lld\n", (long long)atomic_load(&session->last_step));
	if (atomic_load(&session->queue_waits))
		add(&t, "queue_waits=%llu\nqueue_wait_ns=%llu\n", (unsigned long long)atomic_load(&session->queue_waits),
		    (unsigned long long)atomic_load(&session->queue_wait_ns));
	if (atomic_load(&session->unselected))
		add(&t, "unselected=%llu\n", (unsigned long long)atomic_load(&session->unselected));
	add(&t, "boundaries=%llu\ntotals=%llu\n", (unsigned long long)atomic_load(&session->boundaries),
	    (unsigned long long)totals.number);
	if (guest && *guest->deepbind)
		add(&t, "deepbind=%lu\n", *guest->deepbind);
	if (guest && *guest->namespaces)
		add(&t, "namespaces=%lu\n", *guest->namespaces);
	add_limits(&t);
	session_libraries(libraries, sizeof(libraries));
	add_lines(&t, "library", libraries);
	if (guest && !strcmp(reason, "exit"))
		add_calls(&t, guest);
	if (guest)
		add_hooks(&t, guest);
}
