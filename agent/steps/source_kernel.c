#include "agent/steps/source_kernel.h"
#include <regex.h>
#include "agent/record/gate.h"
#include "agent/record/question.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"

/* Kernels of optimizers that everybody uses. */
#define OPTIMIZERS "[Aa]dam|ADAM|[Ss]gd_|SGD|[Ll]amb_|LAMB|[Mm]omentum|[Rr]ms_?[Pp]rop|" \
		   "[Aa]da[Gg]rad|[Aa]dafactor|multi_tensor_apply|optimizer"

static regex_t regex;
static bool listens;
static unsigned int source;

static bool start(unsigned int number, const struct step_source_spec *spec)
{
	source = number;
	listens = !regcomp(&regex, spec->argument, REG_EXTENDED | REG_NOSUB);
	return listens;
}

static void forget(void)
{
	listens = false;
	launch_cache_set_match(false);
}

/* regexec() has a lock and allocates: a signal handler's call meanwhile must not come here again. */
bool source_kernel_matches(const char *name)
{
	struct question question = question_begin();
	bool matches = listens && !regexec(&regex, name, 0, NULL, 0);

	question_end(question);
	return matches;
}

void source_kernel_seen(bool matches)
{
	if ((launch_cache_now() & 1) == matches || !steps_may_change())
		return; /* put off, the next launch says the same */
	if (launch_cache_set_match(matches) && !matches && listens)
		steps_count(source);
}

const struct step_source kernel_source = {
	.usual = OPTIMIZERS,
	.label = KERNEL_OPTIMIZERS,
	.gate = GATE_CLOCK,
	.start = start,
	.forget = forget,
};
