#include "agent/steps/source_kernel.h"
#include <regex.h>
#include <string.h>
#include "agent/record/gate.h"
#include "agent/record/question.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"

/*
 * Optimizers that everybody uses: a kernel's name has one of these words in it. What works on many tensors at once (multi_tensor_apply) is
 * none of them: gradients are clipped by such kernels, too.
 */
static const char *const optimizers[] = { "adam", "Adam", "ADAM", "adagrad", "Adagrad", "adaGrad", "AdaGrad", "adafactor", "Adafactor",
					  "rmsprop", "Rmsprop", "RmsProp", "RMSProp", "rms_prop", "Rms_Prop", "momentum", "Momentum", "optimizer",
					  "sgd_", "Sgd_", "SGD", "lamb_", "Lamb_", "LAMB" };

static enum {
	DEAF,
	BY_REGEX,
	BY_OPTIMIZERS,
} listens;
static regex_t regex;
static unsigned int source;

static bool start(unsigned int number, const struct step_source_spec *spec)
{
	source = number;
	if (!strcmp(spec->argument, KERNEL_OPTIMIZERS))
		listens = BY_OPTIMIZERS;
	else
		listens = regcomp(&regex, spec->argument, REG_EXTENDED | REG_NOSUB) ? DEAF : BY_REGEX;
	return listens;
}

static void forget(void)
{
	listens = DEAF;
	launch_cache_set_match(false);
}

static bool is_optimizer(const char *name)
{
	for (size_t i = 0; i < sizeof(optimizers) / sizeof(*optimizers); i++)
		if (strstr(name, optimizers[i]))
			return true;
	return false;
}

/* regexec() has a lock and allocates: a signal handler's call meanwhile must not come here again. It takes 20 KiB of the stack, too. */
static bool matches_regex(const char *name)
{
	struct question question = question_begin();
	bool matches = !regexec(&regex, name, 0, NULL, 0);

	question_end(question);
	return matches;
}

bool source_kernel_matches(const char *name)
{
	return listens == BY_OPTIMIZERS ? is_optimizer(name) : listens == BY_REGEX && matches_regex(name);
}

void source_kernel_seen(bool matches)
{
	if ((launch_cache_now() & 1) == matches || !steps_may_change())
		return; /* put off, the next launch says the same */
	if (launch_cache_set_match(matches) && !matches && listens)
		steps_count(source);
}

const struct step_source kernel_source = {
	.usual = KERNEL_OPTIMIZERS,
	.gate = GATE_CLOCK,
	.start = start,
	.forget = forget,
};
