#include "steps.h"
#include "agent.h"
#include "arena.h"
#include "clock.h"
#include "config/step_source.h"
#include "event.h"
#include "facts.h"
#include "flush.h"
#include "gate.h"
#include "identity.h"
#include "log.h"
#include "quiet.h"
#include "record.h"
#include "session.h"
#include "writer.h"
#include <errno.h>
#include <regex.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* Tried when the user names no source: the api, then launches of the optimizers that everybody uses. */
#define OPTIMIZER_KERNELS "[Aa]dam|ADAM|[Ss]gd_|SGD|[Ll]amb_|LAMB|[Mm]omentum|[Rr]ms_?[Pp]rop|" \
			  "[Aa]da[Gg]rad|[Aa]dafactor|multi_tensor_apply|optimizer"

struct source {
	struct step_source_spec spec;
	regex_t regex;
	char label[128];
	bool usable;
};

static struct source sources[STEP_SOURCES];
static unsigned int source_count;
static _Atomic int fired = -1; /* the source that is the clock; -1: none yet */
bool steps_in_run;	       /* the last launch matched the kernel: source */
static bool provisional;       /* step 1 only if a source that ends steps fires first */

static int64_t step = STEP_NULL; /* current one */
static uint32_t epoch;		 /* runs on in forked children: stale TLS never looks current */
static uint64_t epoch_begin;
static bool window_open, no_more;
static int64_t window_last;
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* ---- the gate ---- */

static uint32_t kinds_recorded(void)
{
	static const signed char level_of[] = {
#define KIND(symbol, word, level) [EV_##symbol] = level,
		EVENT_KINDS(KIND)
#undef KIND
	};
	uint32_t kinds = 0;

	for (unsigned int k = 0; k < EV_KINDS; k++)
		if (level_of[k] <= agent_config.level)
			kinds |= BIT(k);
	if (!(agent_config.contents & CONTENT_MEMORY))
		kinds &= ~(BIT(EV_ALLOC) | BIT(EV_FREE));
	return kinds;
}

static bool kernel_clock_armed(void)
{
	for (unsigned int i = 0; i < source_count; i++)
		if (sources[i].usable && sources[i].spec.kind == STEP_SOURCE_KERNEL && (fired < 0 || fired == (int)i))
			return true;
	return false;
}

static void set_gate(void)
{
	uint32_t word = GATE_STARTED;

	if (!no_more || window_open)
		word |= GATE_BOOKS | (kernel_clock_armed() ? GATE_CLOCK : 0);
	if (window_open)
		word |= GATE_WINDOW | kinds_recorded();
	if (agent_config.contents & CONTENT_NPU && (window_open || atomic_load(&flush_pending) > 0))
		word |= GATE_HARVEST;
	/* Release: whoever sees the epoch also sees its definition in the arena. */
	atomic_store_explicit(&gate.word, (uint64_t)epoch << 32 | word, memory_order_release);
}

static struct quiet quiet; /* of the lock's holder */

/* Bounded: a boundary that cannot be had is worth less than the program's time. */
static bool lock(void)
{
	struct quiet mine = quiet_begin();

	for (int i = 0; i < 10000; i++) {
		if (!atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
			quiet = mine;
			return true;
		}
		if (i > 100)
			sched_yield();
	}
	quiet_end(mine);
	return false;
}

static void unlock(void)
{
	struct quiet mine = quiet;

	atomic_flag_clear_explicit(&busy, memory_order_release);
	quiet_end(mine);
}

/* ---- epochs and windows; all under the lock ---- */

static void define_epoch(uint64_t end)
{
	struct def_epoch e = { .step = provisional ? STEP_NULL : step, .begin = epoch_begin, .end = end };

	arena_define(DEF_EPOCH, epoch, &e, sizeof(e), NULL, 0);
}

static enum verdict rank_verdict(void)
{
	if (agent_config.ranks.all || !agent_config.ranks.given)
		return VERDICT_WRITE;
	if (identity.rank < 0)
		return VERDICT_WAIT;
	return selection_has(&agent_config.ranks, identity.rank) ? VERDICT_WRITE : VERDICT_DISCARD;
}

static void window_name(char *name, size_t size, int64_t n)
{
	int64_t first = n, last = n;

	window_last = INT64_MAX;
	if (agent_config.steps.all) {
		own_copy(name, size, "all");
		return;
	}
	selection_run(&agent_config.steps, n, &first, &last);
	window_last = last;
	if (first == last)
		snprintf(name, size, "step-%lld", (long long)first);
	else if (last > INT64_MAX / 2)
		snprintf(name, size, "steps-%lld-end", (long long)first);
	else
		snprintf(name, size, "steps-%lld-%lld", (long long)first, (long long)last);
}

static void open_window(int64_t n)
{
	char name[64], path[1024];

	window_name(name, sizeof(name), n);
	writer_path(path, sizeof(path), name);
	flush_verdict(rank_verdict());
	window_open = flush_open(name, path, epoch);
	if (window_open)
		facts_file(session->facts, sizeof(session->facts), name);
	atomic_store(&session->state, window_open ? SESSION_RECORDING : SESSION_DORMANT);
}

static void close_window(uint32_t last)
{
	window_open = false;
	atomic_store(&session->state, SESSION_DORMANT);
	flush_close(last);
}

static bool selected(int64_t n)
{
	return agent_config.steps.all || (n != STEP_NULL && selection_has(&agent_config.steps, n));
}

/* The rank may have become known; a listed one that is not ours ends it all. */
static bool rank_still_possible(void)
{
	if (identity.rank < 0 && identity_read())
		identity_publish();
	if (rank_verdict() != VERDICT_DISCARD)
		return true;
	session_cause(CAUSE_NOT_SELECTED, 0);
	return false;
}

static void change_step(int64_t n)
{
	uint32_t before = epoch;
	uint64_t now = clock_ticks();

	if (window_open)
		define_epoch(now);
	provisional = false;
	step = n;
	epoch++;
	epoch_begin = now;
	atomic_store(&session->epoch, epoch);
	atomic_fetch_add(&session->boundaries, 1);
	atomic_store(&session->last_step, n);
	no_more = no_more || !rank_still_possible();
	if (window_open && (no_more || !selected(n) || n > window_last))
		close_window(before);
	if (!no_more && !window_open && selected(n))
		open_window(n);
	else if (window_open)
		flush_verdict(rank_verdict());
	if (window_open)
		define_epoch(0);
	if (!agent_config.steps.all && !selection_after(&agent_config.steps, n))
		no_more = true;
	else if (!window_open && selected(n + 1))
		flush_prepare();
	set_gate();
	if (no_more && !window_open)
		flush_no_more();
}

/* ---- sources ---- */

/* First to fire is the clock; the others are not heard any more. */
static bool is_clock(unsigned int source)
{
	if (fired >= 0)
		return fired == (int)source;
	fired = (int)source;
	own_copy(session->step_source, sizeof(session->step_source), sources[source].label);
	return true;
}

static bool ends_steps(const struct source *s)
{
	return s->spec.kind == STEP_SOURCE_KERNEL || (s->spec.kind == STEP_SOURCE_SYMBOL && s->spec.at_return);
}

static void count_step(unsigned int source)
{
	if (!lock())
		return;
	if (is_clock(source)) {
		if (provisional && ends_steps(&sources[source]))
			provisional = false;
		else if (provisional)
			step = STEP_NULL; /* what begins steps knows of none before its first */
		change_step(step == STEP_NULL ? 1 : step + 1);
	}
	unlock();
}

void steps_begin(int64_t n)
{
	if (!lock())
		return;
	for (unsigned int i = 0; i < source_count; i++) {
		if (sources[i].spec.kind != STEP_SOURCE_API || !is_clock(i))
			continue;
		if (!provisional && step != STEP_NULL && n <= step)
			log_once("step-order", "ranktrace_step(%lld) after step %lld: ignored, steps only grow",
				 (long long)n, (long long)step);
		else
			change_step(n);
		break;
	}
	unlock();
}

void steps_symbol(unsigned int source, bool at_return)
{
	if (source < source_count && sources[source].spec.at_return == at_return)
		count_step(source);
}

bool steps_kernel_matches(const char *name)
{
	for (unsigned int i = 0; i < source_count; i++)
		if (sources[i].usable && sources[i].spec.kind == STEP_SOURCE_KERNEL &&
		    !regexec(&sources[i].regex, name, 0, NULL, 0))
			return true;
	return false;
}

void steps_kernel(bool matches)
{
	bool was = __atomic_load_n(&steps_in_run, __ATOMIC_RELAXED);

	if (was == matches)
		return;
	if (__atomic_exchange_n(&steps_in_run, matches, __ATOMIC_ACQ_REL) == matches || matches)
		return;
	for (unsigned int i = 0; i < source_count; i++)
		if (sources[i].usable && sources[i].spec.kind == STEP_SOURCE_KERNEL) {
			count_step(i);
			return;
		}
}

static void add_source(const struct step_source_spec *spec, const char *label)
{
	struct source *s = &sources[source_count++];

	s->spec = *spec;
	s->usable = spec->kind != STEP_SOURCE_KERNEL ||
		    !regcomp(&s->regex, spec->regex, REG_EXTENDED | REG_NOSUB);
	if (label)
		own_copy(s->label, sizeof(s->label), label);
	else if (spec->kind == STEP_SOURCE_API)
		own_copy(s->label, sizeof(s->label), "api");
	else if (spec->kind == STEP_SOURCE_KERNEL)
		snprintf(s->label, sizeof(s->label), "kernel:%.100s", spec->regex);
	else
		snprintf(s->label, sizeof(s->label), "symbol:%.40s:%.60s@%s", spec->library, spec->symbol,
			 spec->at_return ? "return" : "entry");
}

static void read_sources(void)
{
	struct step_source_spec specs[STEP_SOURCES];
	unsigned int n = 0;
	char why[256];

	source_count = 0;
	if (step_source_parse(agent_config.step_source, specs, &n, why, sizeof(why)))
		n = 0; /* config_load() has refused it already */
	for (unsigned int i = 0; i < n; i++)
		add_source(&specs[i], NULL);
	if (n)
		return;
	add_source(&(struct step_source_spec){ .kind = STEP_SOURCE_API }, NULL);
	specs[0] = (struct step_source_spec){ .kind = STEP_SOURCE_KERNEL };
	own_copy(specs[0].regex, sizeof(specs[0].regex), OPTIMIZER_KERNELS);
	add_source(&specs[0], "kernel:(well-known optimizers)");
}

void steps_start(void)
{
	bool some_end = false, all_end = true;

	read_sources();
	for (unsigned int i = 0; i < source_count; i++) {
		some_end |= ends_steps(&sources[i]);
		all_end &= ends_steps(&sources[i]);
	}
	epoch++;
	epoch_begin = clock_ticks();
	step = some_end ? 1 : STEP_NULL; /* what ends steps counts the time before it as step 1 */
	provisional = some_end && !all_end;
	atomic_store(&session->epoch, epoch);
	if (rank_verdict() == VERDICT_DISCARD) {
		session_cause(CAUSE_NOT_SELECTED, 0);
		no_more = true;
	} else if (!agent_config.steps.all && !agent_config.steps.count) {
		session_cause(CAUSE_NO_STEPS, 0);
		no_more = true;
	} else if (selected(step)) {
		open_window(step);
		if (window_open)
			define_epoch(0);
	} else if (step != STEP_NULL && selected(step + 1)) {
		flush_prepare();
	}
	set_gate();
}

void steps_window_done(void)
{
	if (!lock())
		return;
	set_gate();
	unlock();
}

void steps_stop(void)
{
	if (!lock())
		return;
	if (window_open) {
		define_epoch(clock_ticks());
		close_window(epoch);
	}
	if (!agent_config.steps.all && agent_config.steps.count && !no_more)
		session_cause(fired < 0 ? CAUSE_NO_SOURCE : CAUSE_NOT_REACHED, 0);
	no_more = true;
	set_gate();
	unlock();
}

void steps_forget(void)
{
	atomic_flag_clear(&busy);
	fired = -1;
	steps_in_run = false;
	window_open = false;
	no_more = false;
}

const struct step_source_spec *steps_source(unsigned int i)
{
	return i < source_count ? &sources[i].spec : NULL;
}

const char *steps_clock(void)
{
	int source = atomic_load(&fired);

	return source < 0 ? "" : sources[source].label;
}
