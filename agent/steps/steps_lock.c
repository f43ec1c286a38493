#include "agent/steps/steps_lock.h"
#include "agent/os/bounded_lock.h"
#include "agent/os/slow_path.h"
#include "agent/record/producer.h"

static struct bounded_lock lock;
static struct slow_path guard; /* the holder's */

uintptr_t steps_thread(void)
{
	return (uintptr_t)&producer;
}

bool steps_lock(void)
{
	struct slow_path mine = slow_path_begin();

	if (bounded_lock_take(&lock, steps_thread())) {
		guard = mine;
		return true;
	}
	slow_path_end(mine);
	return false;
}

void steps_unlock(void)
{
	struct slow_path mine = guard;

	bounded_lock_leave(&lock);
	slow_path_end(mine);
}

void steps_lock_forget(void)
{
	bounded_lock_leave(&lock);
}
