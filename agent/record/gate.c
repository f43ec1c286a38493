#include "agent/record/gate.h"
#include "agent/format/event.h"
#include "agent/record/doorbell.h"
#include "agent/session/session.h"

struct gate gate;

_Static_assert(EV_KINDS <= GATE_KINDS, "room for each kind");

/* ---- calls that come before the agent has made up its mind ---- */

void gate_missed(unsigned int kind)
{
	atomic_fetch_add(&gate.early[kind], 1);
	if (gate_load())
		gate_count_missed();
}

bool gate_missed_any(void)
{
	for (unsigned int kind = 0; kind < EV_KINDS; kind++)
		if (atomic_load(&gate.early[kind]))
			return true;
	return false;
}

/* Both sides do this after they have done their part, so that no call is forgotten between them. */
void gate_count_missed(void)
{
	uint32_t word = (uint32_t)gate_load();

	for (unsigned int kind = 0; kind < EV_KINDS; kind++) {
		uint64_t n = atomic_load(&gate.early[kind]) ? atomic_exchange(&gate.early[kind], 0) : 0;

		if (word & GATE_WINDOW && word & gate_kind(kind)) /* they were made in the window that now opened */
			atomic_fetch_add(&session->no_ring, n);
	}
}

/* ---- a window is over ---- */

/*
 * Without the lock of steps: the flush thread may be kept from running for long, and a boundary that finds
 * the lock taken is not heard. A window that opens meanwhile changes the word, and then nothing is done.
 */
void gate_times_done(void)
{
	uint64_t word = gate_load();

	if (!(word & GATE_WINDOW) && !doorbell_awaits_times())
		atomic_compare_exchange_strong(&gate.word, &word, word & ~(uint64_t)GATE_HARVEST);
}
