#include "agent/session/session.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/base/process.h"
#include "agent/base/text.h"
#include "agent/format/trace_file.h"
#include "agent/os/clock.h"
#include "agent/session/guest.h"
#include "agent/session/session_folder.h"
#include "agent/session/shared_memory.h"

static struct session_status fallback;
struct session_status *session = &fallback;
uint32_t session_generation = 1;

static unsigned int source_count;	      /* in session->sources */
static atomic_flag noting = ATOMIC_FLAG_INIT; /* holds session->libraries and session->unsaid */

static uint64_t random_number(void)
{
	uint64_t n = 0;

	if (syscall(SYS_getrandom, &n, sizeof(n), 1 /* GRND_NONBLOCK */) != sizeof(n))
		n = clock_now_ns() * 0x9E3779B97F4A7C15ull ^ (uint64_t)getpid() << 40;
	return n ? n : 1;
}

static uint64_t pid_namespace(void)
{
	char link[64];
	ssize_t n = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	if (n <= 5)
		return 0;
	link[n] = '\0';
	return strtoull(link + 5, NULL, 10); /* "pid:[4026531836]" */
}

/* Rows that are counted. Nobody has told of any if ranktrace_step() is called before our constructor. */
static unsigned int hook_count(void)
{
	const struct agent_guest *guest = atomic_load(&agent_guest);

	return guest ? guest->hooks : HOOKS_MOST;
}

static void fill(struct session_status *s, uint64_t start, uint64_t namespace, const struct config *config)
{
	s->major = TRACE_MAJOR;
	s->minor = TRACE_MINOR;
	s->pid = (uint32_t)getpid();
	s->hooks = (uint16_t)hook_count();
	s->clock = clock_kind;
	s->start_time = start;
	s->pid_namespace = namespace;
	s->file_id = random_number();
	s->state = SESSION_DORMANT;
	s->rank = s->replica = -1;
	s->last_step = s->asked_first = s->asked_last = STEP_NULL;
	s->on_demand = config->on_demand;
	if (gethostname(s->host, sizeof(s->host) - 1))
		text_copy(s->host, sizeof(s->host), "localhost");
	text_copy(s->job, sizeof(s->job), config->job);
	text_copy(s->launch, sizeof(s->launch), config->launch);
	text_copy(s->save_path, sizeof(s->save_path), config->save_path);
	for (unsigned int i = 0; s != &fallback && i < SESSION_LIMIT_COUNT; i++) /* counted before the start */
		atomic_fetch_add(&s->beyond[i], atomic_load(&fallback.beyond[i]));
	if (s != &fallback)
		text_copy(s->unsaid, sizeof(s->unsaid), fallback.unsaid);
	__atomic_store_n(&s->magic, SESSION_MAGIC, __ATOMIC_RELEASE);
}

bool session_has_room(_Atomic uint64_t *count, uint32_t most, enum session_limit limit)
{
	uint64_t before = atomic_fetch_add(count, 1);

	if (before >> 32 != session_generation)
		atomic_store(count, (uint64_t)session_generation << 32 | 1);
	else if ((uint32_t)before >= most) {
		session_beyond(limit, 1);
		return false;
	}
	return true;
}

void session_start(const struct config *config)
{
	size_t size = (SESSION_BYTES(hook_count()) + SESSION_PAGE - 1) & ~(size_t)(SESSION_PAGE - 1);
	uint64_t start = process_own_start_time(), namespace = pid_namespace();
	void *memory;

	shared_memory_start(config->shm_size, session_folder_make(start, namespace, (uint32_t)random_number()));
	memory = shared_memory_in_tmpfs("status", 0, size); /* where it is missing, nobody can say why */
	if (memory)
		session = memory;
	else
		session_folder_remove();
	fill(session, start, namespace, config);
}

void session_end(bool keep_status)
{
	atomic_store(&session->state, SESSION_ENDED);
	if (keep_status)
		return;
	shared_memory_unlink("status", 0);
	session_folder_remove();
}

void session_leave(void)
{
	atomic_store(&session->state, SESSION_LEFT);
}

bool session_is_private(void)
{
	return session == &fallback;
}

void session_forget(void)
{
	uint64_t beyond[SESSION_LIMIT_COUNT] = { 0 };

	for (unsigned int i = LIMITS_OF_SESSIONS_COUNT; i < SESSION_LIMIT_COUNT; i++)
		beyond[i] = session->beyond[i];
	memset(&fallback, 0, sizeof(fallback));
	for (unsigned int i = 0; i < SESSION_LIMIT_COUNT; i++)
		fallback.beyond[i] = beyond[i];
	session = &fallback;
	source_count = 0;
	session_folder_forget();
	shared_memory_forget();
	atomic_flag_clear(&noting);
}

bool session_cause(enum session_cause cause, int error)
{
	uint32_t was = CAUSE_NONE;

	while (!atomic_compare_exchange_strong(&session->cause, &was, cause))
		if (!session_cause_is_of_steps(was) || session_cause_is_of_steps(cause)) /* what loses calls stands above it */
			return false;
	atomic_store(&session->error, (uint32_t)error);
	return true;
}

void session_cause_over(void)
{
	atomic_store(&session->cause, CAUSE_NONE);
	atomic_store(&session->error, 0);
}

void session_cause_gone(enum session_cause cause)
{
	uint32_t stands = cause;

	atomic_compare_exchange_strong(&session->cause, &stands, CAUSE_NONE);
}

/* ---- what is watched: written before anything is heard, and what was found of it: with the GIL held; the stages: under the steps' lock ---- */

unsigned int session_note_source(const char *kind, const char *name, const char *argument)
{
	size_t used = strlen(session->sources), room = sizeof(session->sources) - used;
	int n;

	if (source_count == SOURCES_HEARD)
		return SOURCES_HEARD;
	n = snprintf(session->sources + used, room, "%s%s %s%s%s", used ? "\n" : "", kind, name, *argument ? ":" : "", argument);
	if (n < 0 || (size_t)n >= room) /* an empty line keeps the places of the others */
		text_copy(session->sources + used, room, "\n");
	return source_count++;
}

void session_source_is(unsigned int place, uint64_t flags)
{
	if (place < SOURCES_HEARD)
		atomic_fetch_or(&session->heard[place], flags);
}

void session_source_called(unsigned int place)
{
	if (place < SOURCES_HEARD)
		atomic_fetch_add_explicit(&session->heard[place], 1, memory_order_relaxed);
}

void session_source_unread(unsigned int place, uint64_t calls)
{
	if (place < SOURCES_HEARD)
		atomic_fetch_add(&session->unread[place], calls);
}

void session_note_package(const char *package, const char *version)
{
	size_t used = strlen(session->packages);
	char text[128];

	snprintf(text, sizeof(text), "%.60s %.60s", package, version);
	if (!strstr(session->packages, text) && used + strlen(text) + strlen(", ") < sizeof(session->packages))
		snprintf(session->packages + used, sizeof(session->packages) - used, "%s%s", used ? ", " : "", text);
}

void session_note_stage(unsigned int number, const char *role)
{
	if (number >= STAGES_HEARD)
		return;
	if (!session->stages[number].role[0])
		text_copy(session->stages[number].role, sizeof(session->stages[number].role), role);
	atomic_fetch_add(&session->stages[number].times, 1);
}

/* ---- libraries: written by any thread, read by the flush thread ---- */

/* Bounded, as everywhere: a note is not worth waiting for. */
static bool lock_notes(void)
{
	for (int i = 0; i < 100000; i++)
		if (!atomic_flag_test_and_set_explicit(&noting, memory_order_acquire))
			return true;
	return false;
}

static bool append_note(const char *path)
{
	size_t used = strlen(session->libraries), n = strlen(path);

	if (used + n + 2 > sizeof(session->libraries))
		return false;
	if (used)
		session->libraries[used++] = '\n';
	memcpy(session->libraries + used, path, n + 1);
	return true;
}

void session_unsaid(const char *line)
{
	size_t used;

	if (!lock_notes())
		return;
	used = strlen(session->unsaid);
	snprintf(session->unsaid + used, sizeof(session->unsaid) - used, "%s%s", used ? "; " : "", line);
	atomic_flag_clear_explicit(&noting, memory_order_release);
}

void session_note_library(const char *path)
{
	bool locked = lock_notes(), noted = locked && append_note(path);

	if (locked)
		atomic_flag_clear_explicit(&noting, memory_order_release);
	if (!noted)
		session_beyond(LIMIT_unlisted_libraries, 1);
}

void session_libraries(char *text, size_t size)
{
	text[0] = '\0';
	if (!lock_notes())
		return;
	text_copy(text, size, session->libraries);
	atomic_flag_clear_explicit(&noting, memory_order_release);
}
