#include "config/step_source/time.h"
#include <stdlib.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/step_source.h"

static const struct {
	const char *unit;
	uint64_t ns;
} units[] = {
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", 60 * 1000000000ull },
	{ "h", 3600 * 1000000000ull },
};
#define DIGITS_MOST 7

int time_read(const char *argument, uint64_t *ns, char *why, size_t size)
{
	size_t digits = strspn(argument, "0123456789");

	*ns = 0;
	for (size_t i = 0; digits <= DIGITS_MOST && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(argument + digits, units[i].unit))
			*ns = strtoul(argument, NULL, 10) * units[i].ns;
	if (*ns < TIME_LEAST_NS)
		return refuse(why, size, "'time:%.32s' is no time of 100ms or more: write a number with ms, s, m or h behind it, as in time:10s", argument);
	return 0;
}

int time_parse(struct step_source_spec *s, char *why, size_t size)
{
	uint64_t ns;

	return time_read(s->argument, &ns, why, size);
}
