#include "agent/steps/source_time.h"
#include <stdatomic.h>
#include <time.h>
#include "agent/os/signal_context.h"
#include "agent/session/log.h"
#include "agent/session/settings.h"
#include "agent/stacks/stacks.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"
#include "config/step_source/time.h"

static uint64_t lasts; /* a step, in ns */
static unsigned int source;

#define NO_LAUNCH 0
#define BUSY	  UINT64_MAX		 /* a thread is at it */
static _Atomic uint64_t due = NO_LAUNCH; /* in ns of now(): when there is something to be done */
static uint64_t since;			 /* the first step began; 0: it has not yet */
static bool told;			 /* that it is the clock, if others were waited for */

/* One of some ms, which is read in a few ns. */
static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* In ns; centuries are as good as any. */
static uint64_t timeout(void)
{
	const uint64_t most = UINT64_MAX / 4 / 1000000000;

	return (settings.step_timeout < most ? settings.step_timeout : most) * 1000000000;
}

/* Behind sources that may fire yet. */
static bool must_wait(uint64_t before)
{
	return before == NO_LAUNCH && source > 0;
}

static void tell_others_did_not(void)
{
	if (told || source == 0 || !step_clock_is(source))
		return;
	told = true;
	log_once("step-time", "no step was told in %llu s of launches (--step-source %.400s): from here on they are counted by time:%s",
		 (unsigned long long)settings.step_timeout, settings.step_source, step_clock_spec(source)->argument);
}

/* Returns when there is something to be done again. */
static uint64_t begin_step(uint64_t at)
{
	uint64_t n;

	if (!since)
		since = at;
	n = (at - since) / lasts;
	steps_begin(source, (int64_t)n + 1);
	tell_others_did_not();
	return since + (n + 1) * lasts;
}

void source_time_look(void)
{
	uint64_t at = now(), before = atomic_load_explicit(&due, memory_order_relaxed);

	stacks_practise();
	if (!lasts || at < before || signal_context_running() || !atomic_compare_exchange_strong(&due, &before, BUSY))
		return;
	atomic_store(&due, must_wait(before) ? at + timeout() : begin_step(at));
}

static bool start(unsigned int number, const struct step_source_spec *spec)
{
	char why[256];

	source = number;
	if (source > 0)
		step_clock_waits(source, settings.step_timeout);
	return !time_read(spec->argument, &lasts, why, sizeof(why));
}

static void forget(void)
{
	since = 0;
	told = false;
	atomic_store(&due, NO_LAUNCH);
}

const struct step_source time_source = {
	.gate = GATE_CLOCK | GATE_TIME,
	.start = start,
	.forget = forget,
};
