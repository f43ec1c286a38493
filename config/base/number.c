#include "config/base/number.h"

bool number_read(const char **text, int64_t *n)
{
	const char *p = *text;

	if (*p < '0' || *p > '9')
		return false;
	for (*n = 0; *p >= '0' && *p <= '9'; p++) {
		*n = *n * 10 + (*p - '0');
		if (*n > NUMBER_MAX)
			return false;
	}
	*text = p;
	return true;
}
