/*
 * statx.c - statx() without an import: glibc has it since 2.28, musl since 1.2.5. Where an imported name
 * is missing, every child that inherits LD_PRELOAD would end before it began.
 */
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int statx(int folder, const char *restrict path, int flags, unsigned int mask, struct statx *restrict st)
{
	return (int)syscall(SYS_statx, folder, path, flags, mask, st);
}
