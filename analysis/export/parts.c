#include "analysis/export/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

/* Of each: its path with the zero, and this behind it, so that the list is read from its end, where what is inside of others stands. */
struct note {
	uint32_t length;
	bool folder;
	pid_t by;
};

static int list = -1; /* in memory: all that forks of ours write to at once, and a signal's handler can read */
static pid_t parent;  /* who began it */

static void take_away_one(const struct note *note, const char *path, bool folders, pid_t of)
{
	if (note->folder != folders || (of && note->by != of))
		return;
	if (folders)
		rmdir(path);
	else
		unlink(path);
}

/* of 0: everybody's. Called by the handler, too: system calls alone. */
static void take_away(bool folders, pid_t of)
{
	static char path[PATH_MAX];
	struct note note;
	off_t at = lseek(list, 0, SEEK_END);

	while (at > 0) {
		at -= (off_t)sizeof(note);
		if (pread(list, &note, sizeof(note), at) != sizeof(note) || note.length > sizeof(path))
			return;
		at -= note.length;
		if (pread(list, path, note.length, at) == (ssize_t)note.length)
			take_away_one(&note, path, folders, of);
	}
}

static void take_away_all(pid_t of)
{
	take_away(false, of);
	take_away(true, of);
}

static void end_by_signal(int number)
{
	pid_t self = getpid();

	take_away_all(self == parent || getppid() != parent ? 0 : self);
	signal(number, SIG_DFL);
	raise(number);
}

void parts_expect_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction was;

	parent = getpid();
	if (list < 0)
		list = (int)syscall(SYS_memfd_create, "ranktrace export", 1 /* MFD_CLOEXEC */);
	if (list >= 0)
		fcntl(list, F_SETFL, O_APPEND);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &was) && was.sa_handler == SIG_DFL)
			signal(numbers[i], end_by_signal);
	signal(SIGXFSZ, SIG_IGN); /* the write that fails tells */
}

/* Before it is there: a signal may come at any time. */
static void write_down(const char *path, bool folder)
{
	char room[PATH_MAX + sizeof(struct note)];
	struct note note = { .length = (uint32_t)strlen(path) + 1, .folder = folder, .by = getpid() };

	if (list < 0 || note.length > PATH_MAX)
		return;
	memcpy(room, path, note.length);
	memcpy(room + note.length, &note, sizeof(note));
	if (write(list, room, note.length + sizeof(note)) < 0)
		perror("ranktrace: export");
}

/* Six letters that nobody else takes. */
static void make_letters(char *letters)
{
	static const char all[64] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	struct timespec now;
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		random = ((uint64_t)now.tv_nsec ^ (uint64_t)getpid()) * 0x9e3779b97f4a7c15ull;
	}
	for (int i = 0; i < 6; i++, random >>= 6)
		letters[i] = all[random & 63];
}

int parts_make(const char *name, char **part)
{
	size_t length = strlen(name) + 1;

	*part = alloc_format("%s.XXXXXX", name);
	do
		make_letters(*part + length);
	while (!access(*part, F_OK));
	write_down(*part, false);
	return open(*part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

bool parts_make_folder(const char *path)
{
	if (!access(path, F_OK))
		return true;
	write_down(path, true);
	return !mkdir(path, 0700) || errno == EEXIST;
}

void parts_take_away(void)
{
	take_away_all(0);
	if (list >= 0 && ftruncate(list, 0))
		perror("ranktrace: export");
}

void parts_be_child(void)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
}
