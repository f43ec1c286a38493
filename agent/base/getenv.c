/*
 * getenv.c - the environment as the process got it. A program may have a getenv() of its own: bash has, which
 * knows its variables, and not before it has read them.
 */
#include <stdlib.h>
#include <unistd.h>

char *getenv(const char *name)
{
	for (char **e = environ; e && *e; e++) {
		size_t n = 0;

		while (name[n] && (*e)[n] == name[n])
			n++;
		if (!name[n] && (*e)[n] == '=')
			return *e + n + 1;
	}
	return NULL;
}
