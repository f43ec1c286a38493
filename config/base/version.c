#include "config/base/version.h"
#include <stdlib.h>

bool version_is_at_least(const char *a, const char *b)
{
	long x, y;

	for (;;) {
		x = strtol(a, (char **)&a, 10);
		y = strtol(b, (char **)&b, 10);
		if (x != y || *b != '.')
			return x >= y;
		a += *a == '.';
		b++;
	}
}
