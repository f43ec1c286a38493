#include "agent/os/bounded_lock.h"
#include <sched.h>
#include "agent/os/futex.h"

#define SPINS  100
#define YIELDS 2000 /* a millisecond where nobody else runs */
#define SLEEPS 100  /* of a millisecond: as long as a busy host lets a thread wait for its turn, and more */

static void wait_a_moment(unsigned int tries)
{
	static _Atomic uint32_t never; /* is anybody woken */

	if (tries >= YIELDS)
		futex_wait(&never, 0, 1);
	else if (tries >= SPINS)
		sched_yield();
}

bool bounded_lock_take(struct bounded_lock *l, uintptr_t self)
{
	unsigned int most = atomic_load(&l->in_vain) ? YIELDS : YIELDS + SLEEPS;

	for (unsigned int tries = 0; tries < most; tries++) {
		uintptr_t who = 0;

		if (atomic_compare_exchange_strong_explicit(&l->holder, &who, self, memory_order_acquire, memory_order_relaxed)) {
			atomic_store(&l->in_vain, false);
			return true;
		}
		if (who == self)
			return false;
		wait_a_moment(tries);
	}
	atomic_store(&l->in_vain, true);
	return false;
}

void bounded_lock_leave(struct bounded_lock *l)
{
	atomic_store_explicit(&l->holder, 0, memory_order_release);
}
