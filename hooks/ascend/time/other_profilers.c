#include "hooks/ascend/time/other_profilers.h"
#include <stdatomic.h>
#include "agent/os/slow_path.h"
#include "agent/record/record.h"
#include "agent/session/definitions.h"
#include "agent/session/log.h"
#include "agent/session/settings.h"

void (*_Atomic other_profilers_make_way)(void);

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

void other_profilers_begin(unsigned int who)
{
	void (*make_way)(void) = other_profilers_make_way;
	struct slow_path guard;

	if (!(settings.contents & CONTENT_DEVICE) || producer.inside & INSIDE_AGENT)
		return;
	if (make_way)
		make_way();
	guard = slow_path_begin();
	atomic_fetch_or(&others, who);
	say(who);
	slow_path_end(guard);
}

void other_profilers_end(unsigned int who)
{
	if (!(producer.inside & INSIDE_AGENT))
		atomic_fetch_and(&others, ~who);
}

bool other_profilers_run(unsigned int who)
{
	return atomic_load(&others) & who;
}
