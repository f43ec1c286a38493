/* libc.c - two functions of libc as our own, so that no import of theirs is needed. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The environment as the process got it. A program may have a getenv() of its own: bash has, which knows its
 * variables, and not before it has read them.
 */
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

/*
 * glibc has statx() since 2.28, musl since 1.2.5. Where an imported name is missing, every child that inherits
 * LD_PRELOAD would end before it began.
 */
int statx(int folder, const char *restrict path, int flags, unsigned int mask, struct statx *restrict st)
{
	return (int)syscall(SYS_statx, folder, path, flags, mask, st);
}
