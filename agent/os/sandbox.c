#include "agent/os/sandbox.h"
#include <errno.h>
#include <linux/seccomp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include "agent/base/text.h"

static bool filtered;	  /* when we were loaded */
static atomic_bool found; /* a filter is never taken away */

BARE void sandbox_loaded(void)
{
	filtered = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) > 0;
}

bool sandbox_is_the_programs(void)
{
	const char *allowed = getenv("RANKTRACE_SANDBOX");
	int saved = errno;
	bool ours;

	if (filtered || (allowed && text_equal(allowed, "allowed")))
		return false;
	ours = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) > 0;
	errno = saved;
	if (ours)
		atomic_store(&found, true);
	return ours;
}

bool sandbox_keeps_out(void)
{
	return atomic_load(&found);
}
