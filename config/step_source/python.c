#include "config/step_source/python.h"
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/step_source.h"

int python_parse(struct step_source_spec *s, char *why, size_t size)
{
	if (!strcmp(s->argument, PYTHON_OPTIMIZER))
		return 0;
	return refuse(why, size, "'python%s%.64s' is not in this version, which watches one function "
				 "of Python: write python:" PYTHON_OPTIMIZER,
		      s->argument[0] ? ":" : "", s->argument);
}
