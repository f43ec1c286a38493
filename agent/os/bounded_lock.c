#include "agent/os/bounded_lock.h"
#include <sched.h>
#include "agent/os/clock.h"
#include "agent/os/futex.h"

#define SPINS	 100
#define YIELD_NS 1000000u   /* on a busy processor one sched_yield() may take longer */
#define SLEEP_NS 100000000u /* as long as a busy host lets a thread wait for its turn, and more */

struct waiting {
	uint64_t began; /* ns; 0: not yet */
	uint32_t turn;	/* whose it was then */
};

/* False: for long enough. */
static bool wait_a_moment(const struct bounded_lock *l, struct waiting *w)
{
	static _Atomic uint32_t never; /* is anybody woken */
	uint64_t now = clock_now_ns(), passed;

	if (!w->began) {
		w->began = now;
		w->turn = atomic_load(&l->turn);
	}
	passed = now - w->began;
	if (passed >= (atomic_load(&l->in_vain) ? YIELD_NS : SLEEP_NS))
		return false;
	if (passed < YIELD_NS)
		sched_yield();
	else
		futex_wait(&never, 0, 1);
	return true;
}

bool bounded_lock_take(struct bounded_lock *l, uintptr_t self)
{
	struct waiting w = { .began = 0 };
	unsigned int spins = 0;

	do {
		uintptr_t who = 0;

		if (atomic_compare_exchange_strong_explicit(&l->holder, &who, self, memory_order_acquire, memory_order_relaxed)) {
			atomic_store_explicit(&l->turn, atomic_load_explicit(&l->turn, memory_order_relaxed) + 1, memory_order_relaxed);
			atomic_store_explicit(&l->in_vain, false, memory_order_relaxed);
			return true;
		}
		if (who == self)
			return false;
	} while (spins++ < SPINS || wait_a_moment(l, &w));
	if (atomic_load(&l->turn) == w.turn)
		atomic_store(&l->in_vain, true);
	return false;
}

void bounded_lock_leave(struct bounded_lock *l)
{
	atomic_store_explicit(&l->holder, 0, memory_order_release);
}
