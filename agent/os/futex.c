#include "agent/os/futex.h"
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool futex_wait(_Atomic uint32_t *word, uint32_t seen, unsigned int milliseconds)
{
	struct timespec limit = { milliseconds / 1000, (long)(milliseconds % 1000) * 1000000 };

	return !syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, milliseconds ? &limit : NULL, NULL, 0) || errno != ETIMEDOUT;
}

void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}
