#include "agent/steps/source_collective.h"
#include <regex.h>
#include "agent/os/signal_context.h"
#include "agent/record/question.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"
#include "config/step_source/collective.h"

static struct collective_spec wanted;
static regex_t regex;
static bool listens;
static unsigned int source;

static struct {
	_Atomic(const void *) communicator;
	_Atomic uint32_t ranks;
	_Atomic uint64_t calls;
} counted; /* calls are counted on this one */

static bool start(unsigned int number, const struct step_source_spec *spec)
{
	char why[256];

	source = number;
	listens = !collective_read(&wanted, spec->argument, why, sizeof(why)) &&
		  !regcomp(&regex, wanted.regex, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	return listens;
}

/* Rows are few: what was found out of each is kept at its name's address, with the answer in bit 0. */
#define REMEMBERED 256
static _Atomic uint64_t remembered[REMEMBERED];

bool source_collective_matches(const char *name)
{
	uint64_t address = (uintptr_t)name << 1, known;
	_Atomic uint64_t *place = &remembered[(address * 0x9E3779B97F4A7C15ull) >> 56];
	struct question question;

	known = atomic_load_explicit(place, memory_order_relaxed);
	if ((known & ~1ull) != address) {
		if (!listens || signal_context_running()) /* regexec() has a lock and may allocate */
			return false;
		question = question_begin();
		known = address | !regexec(&regex, name, 0, NULL, 0);
		question_end(question);
		atomic_store_explicit(place, known, memory_order_relaxed);
	}
	return known & 1;
}

/* Of several that are called at once for the first time one is taken. */
static bool counts_here(const void *communicator, uint32_t ranks)
{
	uint32_t largest = atomic_load(&counted.ranks);

	if (wanted.ranks && ranks != wanted.ranks)
		return false;
	if (atomic_load(&counted.communicator) == communicator)
		return true;
	if (ranks <= largest || !atomic_compare_exchange_strong(&counted.ranks, &largest, ranks))
		return false;
	atomic_store(&counted.calls, 0);
	atomic_store(&counted.communicator, communicator);
	return true;
}

void source_collective_called(const void *communicator, uint32_t ranks)
{
	if (listens && counts_here(communicator, ranks) && (atomic_fetch_add(&counted.calls, 1) + 1) % wanted.every == 0)
		steps_count(source);
}

void source_collective_forget(const void *communicator)
{
	const void *expected = communicator;

	if (atomic_compare_exchange_strong(&counted.communicator, &expected, NULL))
		atomic_store(&counted.ranks, 0);
}

static void forget(void)
{
	listens = false;
	atomic_store(&counted.communicator, NULL);
	atomic_store(&counted.ranks, 0);
}

const struct step_source collective_source = {
	.gate = GATE_COLLECTIVES,
	.start = start,
	.forget = forget,
};
