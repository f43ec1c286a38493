#include <errno.h>
#include <regex.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/pattern.h"
#include "config/step_source/step_source.h"

#define REGEX_MAX 255

int kernel_parse(struct step_source_spec *s, char *why, size_t size)
{
	size_t length = strlen(s->argument);
	char problem[128];
	regex_t regex;
	int err;

	if (!length || length > REGEX_MAX)
		return refuse(why, size, "the expression behind kernel: must have 1 to %d characters", REGEX_MAX);
	if (pattern_check(s->argument, why, size))
		return -EINVAL;
	err = regcomp(&regex, s->argument, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &regex, problem, sizeof(problem));
		return refuse(why, size, "'kernel:%.64s' is not an extended regular expression (%s): "
					 "write one like kernel:adam.*",
			      s->argument, problem);
	}
	regfree(&regex);
	return 0;
}
