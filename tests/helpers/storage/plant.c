/*
 * plant.c - somebody who writes to our folders and is always a little faster: at the name of a new trace
 * file, or of a folder for it, lies what PLANT says: symlink, fifo, file, folder_link. VICTIM: where links lead.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int wants(const char *what)
{
	const char *plant = getenv("PLANT");

	return plant && !strcmp(plant, what);
}

static void plant(int folder, const char *path)
{
	if (wants("symlink") && symlinkat(getenv("VICTIM"), folder, path))
		_exit(81);
	if (wants("fifo") && mkfifoat(folder, path, 0666))
		_exit(81);
	if (wants("file"))
		close((int)syscall(SYS_openat, folder, path, O_WRONLY | O_CREAT | O_EXCL, 0666));
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	if (strstr(path, ".rtrace"))
		plant(folder, path);
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
	if (wants("folder_link") && strstr(path, "rank0"))
		return symlinkat(getenv("VICTIM"), folder, path);
	return (int)syscall(SYS_mkdirat, folder, path, mode);
}
