#include "agent/fork.h"
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>
#include "agent/flush/flush.h"
#include "agent/os/apart.h"
#include "agent/record/gate.h"
#include "agent/record/launch_cache.h"
#include "agent/record/rings.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "agent/stacks/stacks.h"
#include "agent/steps/steps.h"

bool fork_wipes_gate(void)
{
	if (madvise(&gate, sizeof(gate), MADV_WIPEONFORK))
		return false;
	atomic_store(&gate.process, getpid());
	return true;
}

void fork_forget_parent(void)
{
	session_generation++;
	apart_forget();
	launch_cache_void();
	session_forget();
	rings_forget();
	definitions_forget();
	flush_forget();
	steps_forget();
	stacks_forget();
}
