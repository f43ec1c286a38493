#include "config/step_source/pattern.h"
#include "config/step_source/step_source.h"

int kernel_parse(struct step_source_spec *s, char *why, size_t size)
{
	size_t groups;

	return pattern_check("kernel", s->argument, "adam.*", &groups, why, size);
}
