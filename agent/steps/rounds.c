#include "agent/steps/rounds.h"
#include <stdatomic.h>
#include "agent/format/trace_file.h"
#include "agent/session/log.h"
#include "agent/session/settings.h"
#include "agent/steps/steps_lock.h"
#include "config/option_words.h"

static int64_t said;	  /* last, */
static uintptr_t said_by; /* by this thread, */
static int64_t first;	  /* and first, or since a round began */
static _Atomic int64_t offset;

int64_t rounds_step(int64_t number)
{
	return (int64_t)((uint64_t)number + (uint64_t)atomic_load(&offset));
}

int64_t rounds_offset(void)
{
	return atomic_load(&offset);
}

/*
 * Several threads may tell the steps, and one of them be late. Is it that, and no round? Steps behind the first of this round
 * are, and those just told.
 */
static bool is_late(int64_t n)
{
	return said_by != steps_thread() && (n > first || (uint64_t)said - (uint64_t)n <= 2);
}

static bool begin_round(int64_t n, int64_t step)
{
	int64_t next, behind;

	if (settings.step_back == STEP_BACK_IGNORE || is_late(n) || __builtin_add_overflow(step, 1, &next) ||
	    __builtin_sub_overflow(next, n, &behind)) {
		log_once("step-order", "ranktrace_step(%lld) after ranktrace_step(%lld) is ignored", (long long)n, (long long)said);
		return false;
	}
	log_once("step-order", "ranktrace_step(%lld) after ranktrace_step(%lld) begins another round: its steps count on from %lld "
			       "(--step-back ignore: such calls are ignored)",
		 (long long)n, (long long)said, (long long)next);
	atomic_store(&offset, behind);
	first = n;
	return true;
}

static bool is_another(int64_t n, int64_t step, bool tell_of_same)
{
	if (step == STEP_NULL) {
		first = n;
		return true;
	}
	if (n == said && tell_of_same)
		log_once("step-again", "ranktrace_step(%lld) again changes nothing: it is the same step", (long long)n);
	return n > said || (n < said && begin_round(n, step));
}

bool rounds_begin(int64_t number, int64_t step, bool tell_of_same)
{
	if (!is_another(number, step, tell_of_same))
		return false;
	said = number;
	said_by = steps_thread();
	return true;
}

void rounds_forget(void)
{
	atomic_store(&offset, 0);
}
