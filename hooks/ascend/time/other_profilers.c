#include "hooks/ascend/time/other_profilers.h"
#include "agent/os/slow_path.h"
#include "agent/session/definitions.h"
#include "agent/session/log.h"
#include "agent/session/settings.h"
#include "hooks/ascend/time/mspti.h"
#include "hooks/ascend/time/time.h"

static _Atomic unsigned int others; /* a bit for each */

/* One line for the user, and one for the file. */
static void say(unsigned int who)
{
	static _Atomic bool said;

	if (who == OTHER_SUBSCRIBER || atomic_exchange(&said, true))
		return;
	log_once("device-times", "a CANN profiler is running (torch_npu.profiler, or another that "
				 "calls aclprofInit): no device times until that one ends");
	definitions_text(DEF_IDENTITY, 0, "device_times_off=another profiler ran\n");
}

void ascend_other_begins(unsigned int who)
{
	struct slow_path guard;

	if (!(settings.contents & CONTENT_DEVICE) || producer.inside & INSIDE_AGENT)
		return;
	ascend_time_harvest(NO_STREAM); /* what is done by now is still ours */
	guard = slow_path_begin();
	mspti_stop();
	atomic_fetch_or(&others, who);
	say(who);
	slow_path_end(guard);
}

void ascend_other_ends(unsigned int who)
{
	if (!(producer.inside & INSIDE_AGENT))
		atomic_fetch_and(&others, ~who);
}

bool ascend_other_runs(unsigned int who)
{
	return atomic_load(&others) & who;
}
