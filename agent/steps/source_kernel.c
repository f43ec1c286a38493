#include "agent/steps/source_kernel.h"
#include <regex.h>
#include "agent/record/gate.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"

/* Kernels of optimizers that everybody uses. */
#define OPTIMIZERS "[Aa]dam|ADAM|[Ss]gd_|SGD|[Ll]amb_|LAMB|[Mm]omentum|[Rr]ms_?[Pp]rop|" \
		   "[Aa]da[Gg]rad|[Aa]dafactor|multi_tensor_apply|optimizer"

static struct {
	unsigned int source;
	regex_t regex;
} runs[STEP_SOURCES];
static unsigned int count;

static bool start(unsigned int source, const struct step_source_spec *spec)
{
	if (regcomp(&runs[count].regex, spec->argument, REG_EXTENDED | REG_NOSUB))
		return false;
	runs[count++].source = source;
	return true;
}

static void forget(void)
{
	count = 0;
	launch_cache_set_match(false);
}

bool source_kernel_matches(const char *name)
{
	for (unsigned int i = 0; i < count; i++)
		if (!regexec(&runs[i].regex, name, 0, NULL, 0))
			return true;
	return false;
}

void source_kernel_seen(bool matches)
{
	if ((launch_cache_now() & 1) == matches || !steps_may_change())
		return; /* put off, the next launch says the same */
	if (launch_cache_set_match(matches) && !matches && count)
		steps_count(runs[0].source);
}

const struct step_source kernel_source = {
	.usual = OPTIMIZERS,
	.label = "(well-known optimizers)",
	.gate = GATE_CLOCK,
	.start = start,
	.forget = forget,
};
