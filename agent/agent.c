/*
 * agent.c - the table of contents: settings, identity, session, steps (gate, flush thread) on the way
 * up; the same in reverse on the way down.
 */
#include "agent/agent.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/flush/flush.h"
#include "agent/fork.h"
#include "agent/os/apart.h"
#include "agent/os/clock.h"
#include "agent/os/elf.h"
#include "agent/os/futex.h"
#include "agent/os/sandbox.h"
#include "agent/os/signal_context.h"
#include "agent/os/slow_path.h"
#include "agent/os/threads.h"
#include "agent/ranktrace.h"
#include "agent/record/gate.h"
#include "agent/record/record.h"
#include "agent/scout.h"
#include "agent/session/definitions.h"
#include "agent/session/identity.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/session_folder.h"
#include "agent/session/settings.h"
#include "agent/session/shared_memory.h"
#include "agent/steps/python_calls.h"
#include "agent/steps/source_api.h"
#include "agent/steps/steps.h"
#include "config/load/load.h"
#include "config/preset.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EXIT_MS 1000
#else
#define EXIT_MS 150 /* nobody's exit waits longer for us: with what the kernel takes to unmap full pools it is below 200 */
#endif

static _Atomic uint32_t starting; /* 0: not yet, 1: somebody is at it, 2: done */
static _Atomic int owner;	  /* pid of the process that started */

/* ---- up ---- */

static void describe_selection(void)
{
	option_text(&settings, OPTION_steps, session->steps, sizeof(session->steps));
	option_text(&settings, OPTION_ranks, session->ranks, sizeof(session->ranks));
	option_text(&settings, OPTION_schedule, session->schedule, sizeof(session->schedule));
}

static void open_session(void *unused)
{
	(void)unused;
	clock_start();
	session_start(&settings);
	describe_selection();
	identity_read();
	identity_publish();
}

static void start_session(void)
{
	apart_run(open_session, NULL);
}

/* Whoever set the variable meant to tell a rank. */
static void tell_of_rank(void)
{
	const char *text, *name = identity.rank < 0 ? identity_refused(&text) : NULL;

	if (name)
		log_once("rank", "%s='%.64s' is not a number, so the rank is unknown", name, text);
}

/* The launcher has told already. */
static void tell_of_stray_variable(void)
{
	char line[256];

	if (!settings.launch[0] && config_stray_variable(line, sizeof(line)))
		log_once("stray", "%s", line);
}

/* The launcher asks which version is there, and names it; the agent cannot. */
static void tell_of_preset(void)
{
	const struct preset *p = *settings.preset ? preset_find(settings.preset) : NULL;
	char others[256];

	if (!p || !strcmp(p->name, settings.preset))
		return;
	preset_others(p, "RANKTRACE_PRESET=", others, sizeof(others));
	if (*others)
		log_once("preset", "preset %s is taken for %s, the newest, as no version stands behind it (another: %s)", settings.preset, p->name, others);
}

static void start_log(int level)
{
	char root[192];

	log_start(session_folder_root(root, sizeof(root)) ? root : "", settings.launch, level);
}

static void keep_refusal(const char *error)
{
	snprintf(session->facts, sizeof(session->facts), "error=%s\n", error);
	session_cause(CAUSE_BAD_CONFIG, 0);
}

static void refuse_settings(const char *error)
{
	const char *launch = getenv("RANKTRACE_LAUNCH"); /* it may not have come so far: who is to be told? */

	text_copy(settings.launch, sizeof(settings.launch), launch ? launch : "");
	start_log(0);
	log_once("configuration", "%s; nothing is recorded, the job runs on", error);
	start_session();
	keep_refusal(error);
}

struct reading {
	char error[512];
	bool failed;
};

static void read_settings(void *reading)
{
	struct reading *r = reading;

	r->failed = config_load(&settings, r->error, sizeof(r->error));
}

/* False: this process is not recorded. */
static bool start(void)
{
	bool forked = !atomic_load(&gate.process), wiped = fork_wipes_gate(); /* the constructor had set it */
	const struct agent_guest *guest;
	struct reading reading;

	threads_forked = forked;
	if (getauxval(AT_SECURE) || elf_is_copy())
		return false;
	apart_run(read_settings, &reading);
	if (reading.failed) {
		refuse_settings(reading.error);
		return false;
	}
	start_log(settings.log);
	if (!settings.enable && !settings.launch[0])
		return false;
	start_session();
	tell_of_rank();
	tell_of_stray_variable();
	tell_of_preset();
	guest = atomic_load(&agent_guest);
	if (guest)
		guest->started();
	if (!settings.enable && *settings.refused) {
		keep_refusal(settings.refused);
	} else if (!settings.enable) {
		session_cause(CAUSE_DISABLED, 0);
	} else if (!wiped) {
		log_once("wipe", "the kernel does not wipe memory on fork (it is older than 4.14, or a sandbox forbids it); "
				 "nothing is recorded, the job runs on");
		session_cause(CAUSE_NO_WIPE, 0);
	}
	return settings.enable && wiped;
}

static void wait_for_start(void)
{
	while (atomic_load(&starting) == 1)
		if (!futex_wait(&starting, 1, 1000))
			return;
}

/*
 * Of the program's own sandbox nobody knows which calls it allows, and it may end who makes another: the line is one write(2), and
 * that is all. A forked child has heard it.
 */
static bool stay_out(void)
{
	static const char line[] = "ranktrace: the program has set a seccomp filter of its own, which may end it for a system call of ours: "
				   "nothing is recorded, the job runs on; where the filter allows all that docs/reliability.md lists, set "
				   "RANKTRACE_SANDBOX=allowed\n";
	static atomic_flag said = ATOMIC_FLAG_INIT;

	if (!sandbox_is_the_programs())
		return false;
	atomic_store(&gate.word, GATE_STARTED);
	if (!atomic_flag_test_and_set(&said))
		syscall(SYS_write, STDERR_FILENO, line, sizeof(line) - 1);
	return true;
}

/* called: a hooked function; else Python has only told that there may be something to listen to. */
static void start_for(bool called)
{
	int pid = getpid(), was = atomic_load(&owner);
	struct slow_path guard;
	uint32_t none = 0;

	if (producer.inside & INSIDE_AGENT || gate_is_borrowed(pid) || stay_out() || signal_context_running())
		return;
	guard = slow_path_begin();
	if (was != pid && was && atomic_compare_exchange_strong(&owner, &was, 0)) {
		fork_forget_parent();
		atomic_store(&starting, 0);
	}
	if (!atomic_compare_exchange_strong(&starting, &none, 1)) {
		wait_for_start();
		if (called && gate_listens())
			steps_wake();
		slow_path_end(guard);
		return;
	}
	producer.inside = INSIDE | INSIDE_AGENT;
	atomic_store(&owner, pid);
	if (start()) {
		producer_notice_end(); /* none yet; but should this thread be main(), its end is to be noticed */
		steps_start(!called);
	} else {
		atomic_store(&gate.word, GATE_STARTED);
	}
	gate_count_missed();
	producer.inside = INSIDE;
	atomic_store(&starting, 2);
	futex_wake(&starting);
	slow_path_end(guard);
}

void agent_start(void)
{
	start_for(true);
}

static void listen(void)
{
	start_for(false);
}

BARE void agent_loaded(const struct agent_guest *guest)
{
	elf_libc_ready();
	fork_wipes_gate();
	sandbox_loaded();
	atomic_store(&agent_guest, guest);
	calls_listen = listen;
	scout_loaded(listen);
}

/* ---- down ---- */

/* Without a status record in tmpfs no launcher can tell it. */
static void say_lost(void)
{
	unsigned long long lost = atomic_load(&session->dropped), of = atomic_load(&session->entered);

	if (lost && session_is_private())
		log_once("lost", "%llu of %llu calls are lost: there was neither a file nor shared "
				 "memory for them",
			 lost, of);
}

/* The launcher collects it without a word. */
static void say_left(void)
{
	if (settings.launch[0])
		return;
	if (shared_memory_safe())
		log_once("left", "the disk did not take all in %d ms, and the exit does not wait: the last events are in /dev/shm: run "
				 "ranktrace recover",
			 EXIT_MS);
	else
		log_once("left", "the disk did not take all in %d ms, and the exit does not wait: events that found no room in /dev/shm are lost",
			 EXIT_MS);
}

/* Of EXIT_MS, by which the steps' lock may have been waited for. */
static unsigned int left_of_exit(uint64_t began)
{
	uint64_t passed = (clock_now_ns() - began) / 1000000;

	return passed < EXIT_MS ? (unsigned int)(EXIT_MS - passed) : 0;
}

__attribute__((destructor)) static void leaving(void)
{
	int saved = errno;
	uint64_t began;

	if (!gate_load() && gate_missed_any()) /* only signal handlers have called: their calls are counted */
		agent_start();
	if (atomic_load(&starting) != 2 || atomic_load(&owner) != getpid())
		return;
	began = clock_now_ns();
	steps_stop();
	atomic_store(&gate.word, GATE_STARTED);
	if (flush_finish(left_of_exit(began))) { /* otherwise everything stays in tmpfs, for recovery */
		say_lost();
		log_rest();
		rings_end();
		definitions_end();
		session_end(settings.launch[0] && !gate_listens());
	} else {
		session_leave();
		say_left();
	}
	errno = saved;
}

/* ---- what a program may say ---- */

/* That may be its first call of any. */
static bool is_heard(void)
{
	if (!gate_load())
		agent_start();
	return gate_may_record();
}

#define CALLER __builtin_return_address(0)

EXPORT void ranktrace_step(int64_t n)
{
	if (is_heard())
		source_api_step(n, CALLER);
}

EXPORT uint64_t ranktrace_stage_begin(const char *role)
{
	return is_heard() ? source_api_stage_begin(role, CALLER) : 0;
}

EXPORT void ranktrace_stage_end(uint64_t stage)
{
	source_api_stage_end(stage, CALLER);
}

#define COUNTED(name, counter, begins)                                                         \
	EXPORT void name(void)                                                                 \
	{                                                                                      \
		if (is_heard())                                                                \
			source_api_batch(counter, begins ? BATCH_BEGINS : BATCH_NONE, CALLER); \
	}
COUNTED(ranktrace_mini_begin, SCHEDULE_MINI, true)
COUNTED(ranktrace_mini_end, SCHEDULE_MINI, false)
COUNTED(ranktrace_micro_begin, SCHEDULE_MICRO, true)
COUNTED(ranktrace_micro_end, SCHEDULE_MICRO, false)
#undef COUNTED

EXPORT const char *ranktrace_version(void)
{
	return RANKTRACE_VERSION;
}
