#include "agent/steps/steps_lock.h"
#include <sched.h>
#include <stdatomic.h>
#include "agent/os/slow_path.h"
#include "agent/record/producer.h"

static _Atomic uintptr_t holder; /* steps_thread() of it, or 0 */
static struct slow_path guard;	 /* the holder's */

uintptr_t steps_thread(void)
{
	return (uintptr_t)&producer;
}

/*
 * Bounded: a boundary that cannot be had is worth less than the program's time. A signal handler on top of the holder does not wait
 * for it at all.
 */
bool steps_lock(void)
{
	struct slow_path mine = slow_path_begin();

	for (int i = 0; i < 10000; i++) {
		uintptr_t other = 0;

		if (atomic_compare_exchange_strong_explicit(&holder, &other, steps_thread(), memory_order_acquire, memory_order_relaxed)) {
			guard = mine;
			return true;
		}
		if (other == steps_thread())
			break;
		if (i > 100)
			sched_yield();
	}
	slow_path_end(mine);
	return false;
}

void steps_unlock(void)
{
	struct slow_path mine = guard;

	atomic_store_explicit(&holder, 0, memory_order_release);
	slow_path_end(mine);
}

void steps_lock_forget(void)
{
	atomic_store(&holder, 0);
}
