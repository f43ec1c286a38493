#include "agent/record/doorbell.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/os/futex.h"

struct doorbell doorbell;

void doorbell_ring(void)
{
	if (!atomic_load(&doorbell.attended))
		return;
	atomic_fetch_add(&doorbell.word, 1);
	futex_wake(&doorbell.word);
}

void doorbell_thread_ends(void)
{
	if (syscall(SYS_gettid) == getpid())
		atomic_store(&doorbell.first_gone, true);
	if (atomic_load(&doorbell.idle))
		doorbell_ring();
}

void doorbell_forget(void)
{
	atomic_store(&doorbell.attended, false);
	atomic_store(&doorbell.idle, false);
	atomic_store(&doorbell.first_gone, false);
	atomic_store(&doorbell.pending, 0);
	memset(doorbell.pending_of, 0, sizeof(doorbell.pending_of));
	atomic_store(&doorbell.held, 0);
	atomic_store(&doorbell.unsure, false);
}
