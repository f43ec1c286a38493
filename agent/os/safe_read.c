#include "agent/os/safe_read.h"
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096u
#define MOST (1u << 20)

/*
 * The kernel fetches the signal set before it looks at what to do with it, which is nothing that it
 * knows: EFAULT or EINVAL. No sandbox forbids this call: every libc makes it.
 */
static bool word(uintptr_t at)
{
	int saved = errno;
	bool there = !(syscall(SYS_rt_sigprocmask, ~0, at, NULL, 8) == -1 && errno == EFAULT);

	errno = saved;
	return there;
}

bool safe_read(const void *address, size_t bytes)
{
	uintptr_t first = (uintptr_t)address & ~7ull, last = ((uintptr_t)address + bytes - 1) & ~7ull;

	if (!bytes)
		return true;
	if (!address || bytes > MOST || last < first)
		return false;
	for (uintptr_t at = first; at < last; at = (at | (PAGE - 1)) + 1)
		if (!word(at))
			return false;
	return word(last);
}
