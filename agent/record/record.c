#include "agent/record/record.h"
#include "agent/session/session.h"

/*
 * What record_skipped_begin() returns, in the one byte that struct call has left for it: with a struct of two members
 * every recorded call took some ten instructions more.
 */
#define SKIPPED_IN_RING 0x80 /* the ring says that the thread is in this call, which is the outermost */
#define SKIPPED		0x40 /* and producer.left_out before it: there is no ring, or a call around this one stands there */
_Static_assert(EV_KINDS < SKIPPED, "room for a kind + 1");

uint8_t record_skipped_begin(unsigned int hook, unsigned int kind)
{
	struct producer *p = &producer;
	uint8_t around = p->left_out;

	p->left_out = (uint8_t)(kind + 1);
	if (!p->ring || p->generation != session_generation || atomic_load_explicit(&p->ring->call_hook, memory_order_relaxed))
		return around | SKIPPED;
	atomic_store_explicit(&p->ring->call_begin, clock_ticks(), memory_order_relaxed);
	atomic_store_explicit(&p->ring->call_hook, (hook + 1) | CALL_LEFT_OUT, memory_order_relaxed);
	return SKIPPED_IN_RING;
}

void record_skipped_end(uint8_t left_out)
{
	if (left_out != SKIPPED_IN_RING) {
		producer.left_out = left_out & ~SKIPPED;
		return;
	}
	producer.left_out = 0;
	if (gate_load()) /* forked inside the call: the ring is the parent's */
		atomic_store_explicit(&producer.ring->call_hook, 0, memory_order_relaxed);
}

#define UA_CLEANUP_PHASE    2 /* of the unwinder's interface; the phase before only looks for who catches */
#define URC_CONTINUE_UNWIND 8

/* Whoever catches may be a callback inside another call of ours: for the rest of that one we know less. */
int record_unwound(int version, int actions, uint64_t class, void *exception, void *context)
{
	struct producer *p = &producer;

	(void)version, (void)class, (void)exception, (void)context;
	if (!(actions & UA_CLEANUP_PHASE))
		return URC_CONTINUE_UNWIND;
	p->inside = INSIDE;
	p->left_out = 0;
	if (gate_load() && p->ring && p->generation == session_generation)
		atomic_store_explicit(&p->ring->call_hook, 0, memory_order_relaxed);
	return URC_CONTINUE_UNWIND;
}
