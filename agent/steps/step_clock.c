#include "agent/steps/step_clock.h"
#include <regex.h>
#include <stdio.h>
#include "agent/base/text.h"
#include "agent/record/launch_cache.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/steps.h"
#include "config/step_source/step_source.h"

/* Tried when the user names no source: the api, PyTorch's optimizers, then launches of those that everybody uses. */
#define OPTIMIZER_KERNELS "[Aa]dam|ADAM|[Ss]gd_|SGD|[Ll]amb_|LAMB|[Mm]omentum|[Rr]ms_?[Pp]rop|" \
			  "[Aa]da[Gg]rad|[Aa]dafactor|multi_tensor_apply|optimizer"

struct source {
	struct step_source_spec spec;
	regex_t regex;
	char label[128];
	bool usable;
};

static struct source sources[STEP_SOURCES];
static unsigned int source_count;
static _Atomic int fired = -1; /* the source that is the clock; -1: none yet */

/* ---- what they say ---- */

static bool ends_steps(const struct source *s)
{
	return s->spec.kind == STEP_SOURCE_KERNEL || s->spec.kind == STEP_SOURCE_PYTHON ||
	       (s->spec.kind == STEP_SOURCE_SYMBOL && s->spec.at_return);
}

bool step_clock_ends_steps(unsigned int source)
{
	return ends_steps(&sources[source]);
}

bool step_clock_fire(unsigned int source)
{
	if (fired >= 0)
		return fired == (int)source;
	fired = (int)source;
	text_copy(session->step_source, sizeof(session->step_source), sources[source].label);
	return true;
}

void step_clock_claim(unsigned int source)
{
	for (unsigned int i = 0; i < source; i++)
		if (sources[i].usable && sources[i].spec.kind == STEP_SOURCE_KERNEL)
			return;
	step_clock_fire(source);
}

const char *step_clock_clock(void)
{
	int source = atomic_load(&fired);

	return source < 0 ? "" : sources[source].label;
}

/* ---- the kinds ---- */

static int first_of(enum step_source_kind kind)
{
	for (unsigned int i = 0; i < source_count; i++)
		if (sources[i].spec.kind == kind)
			return (int)i;
	return -1;
}

int step_clock_api(void)
{
	return first_of(STEP_SOURCE_API);
}

int step_clock_python(void)
{
	return first_of(STEP_SOURCE_PYTHON);
}

bool step_clock_python_named(void)
{
	return settings.step_source[0] && step_clock_python() >= 0;
}

void step_clock_symbol(unsigned int source, bool at_return)
{
	if (source < source_count && sources[source].spec.at_return == at_return)
		steps_count(source);
}

static bool is_kernel(const struct source *s)
{
	return s->usable && s->spec.kind == STEP_SOURCE_KERNEL;
}

bool step_clock_kernel_armed(void)
{
	for (unsigned int i = 0; i < source_count; i++)
		if (is_kernel(&sources[i]) && (fired < 0 || fired == (int)i))
			return true;
	return false;
}

bool step_clock_kernel_matches(const char *name)
{
	for (unsigned int i = 0; i < source_count; i++)
		if (is_kernel(&sources[i]) && !regexec(&sources[i].regex, name, 0, NULL, 0))
			return true;
	return false;
}

void step_clock_kernel(bool matches)
{
	if ((launch_cache_now() & 1) == matches || !steps_may_change())
		return; /* put off, the next launch says the same */
	if (!launch_cache_set_match(matches) || matches)
		return;
	for (unsigned int i = 0; i < source_count; i++)
		if (is_kernel(&sources[i])) {
			steps_count(i);
			return;
		}
}

/* ---- read once ---- */

static void add_source(const struct step_source_spec *spec, const char *label)
{
	struct source *s = &sources[source_count++];

	s->spec = *spec;
	s->usable = spec->kind != STEP_SOURCE_KERNEL ||
		    !regcomp(&s->regex, spec->regex, REG_EXTENDED | REG_NOSUB);
	if (label)
		text_copy(s->label, sizeof(s->label), label);
	else if (spec->kind == STEP_SOURCE_API)
		text_copy(s->label, sizeof(s->label), "api");
	else if (spec->kind == STEP_SOURCE_PYTHON)
		text_copy(s->label, sizeof(s->label), STEP_SOURCE_OPTIMIZER);
	else if (spec->kind == STEP_SOURCE_KERNEL)
		snprintf(s->label, sizeof(s->label), "kernel:%.100s", spec->regex);
	else
		snprintf(s->label, sizeof(s->label), "symbol:%.40s:%.60s@%s", spec->library, spec->symbol,
			 spec->at_return ? "return" : "entry");
}

static void read_all(void)
{
	struct step_source_spec specs[STEP_SOURCES];
	unsigned int n = 0;
	char why[256];

	source_count = 0;
	if (step_source_parse(settings.step_source, specs, &n, why, sizeof(why)))
		n = 0; /* config_load() has refused it already */
	for (unsigned int i = 0; i < n; i++)
		add_source(&specs[i], NULL);
	if (n)
		return;
	add_source(&(struct step_source_spec){ .kind = STEP_SOURCE_API }, NULL);
	add_source(&(struct step_source_spec){ .kind = STEP_SOURCE_PYTHON }, NULL);
	specs[0] = (struct step_source_spec){ .kind = STEP_SOURCE_KERNEL };
	text_copy(specs[0].regex, sizeof(specs[0].regex), OPTIMIZER_KERNELS);
	add_source(&specs[0], "kernel:(well-known optimizers)");
}

void step_clock_read(bool *some_end, bool *all_end)
{
	*some_end = false;
	*all_end = true;
	read_all();
	for (unsigned int i = 0; i < source_count; i++) {
		*some_end |= ends_steps(&sources[i]);
		*all_end &= ends_steps(&sources[i]);
	}
}

void step_clock_forget(void)
{
	fired = -1;
	launch_cache_set_match(false);
}
