#include "agent/session/log.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/os/apart.h"
#include "agent/session/session.h"
#include "config/base/printable.h"

int log_level;
static char said_root[192], launch_id[64];

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

#define TOPICS 32			 /* more than there are: log_once() has a dozen callers */
static const char *_Atomic said[TOPICS]; /* by this process */

/* What standard error was when we started; a program may close it and get its number for data of its own. */
static struct statx stderr_then;

static bool stderr_appends;
static _Atomic bool no_descriptor; /* was there for a line of a thread of ours */

static bool look_at(int fd, struct statx *st)
{
	*st = (struct statx){ 0 };
	return fd >= 0 && !statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_TYPE, st);
}

static bool is_stderr(int fd)
{
	struct statx now;

	return look_at(fd, &now) && now.stx_ino == stderr_then.stx_ino &&
	       now.stx_dev_major == stderr_then.stx_dev_major && now.stx_dev_minor == stderr_then.stx_dev_minor;
}

void log_start(const char *root, const char *launch, int level)
{
	look_at(STDERR_FILENO, &stderr_then);
	stderr_appends = fcntl(STDERR_FILENO, F_GETFL) & O_APPEND;
	text_copy(said_root, sizeof(said_root), root);
	text_copy(launch_id, sizeof(launch_id), launch);
	log_level = level;
	for (unsigned int i = 0; i < TOPICS; i++)
		atomic_store(&said[i], NULL);
}

/* With a limit of no descriptors poll() refuses to look at one. */
static bool takes_more(int fd)
{
	struct pollfd out = { .fd = fd, .events = POLLOUT };
	int n = poll(&out, 1, 0);
	fd_set set;

	if (n >= 0 || errno != EINVAL || fd >= FD_SETSIZE)
		return n == 1 && out.revents & POLLOUT;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, NULL, &set, NULL, &(struct timeval){ 0 }) == 1;
}

/*
 * Nobody waits for a reader of ours: a terminal may be stopped (Ctrl-S), a pipe or a socket full. Whether a descriptor may
 * wait is set for all who share it, so it is asked for in each call, where there is such a call.
 */
static ssize_t write_at_once(int fd, const char *line, size_t n)
{
	struct iovec whole = { (void *)(uintptr_t)line, n };
	ssize_t done;

	if (!takes_more(fd)) {
		errno = EAGAIN;
		return -1;
	}
	if (S_ISSOCK(stderr_then.stx_mode))
		return send(fd, line, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	done = S_ISFIFO(stderr_then.stx_mode) ? syscall(SYS_pwritev2, fd, &whole, 1ul, -1l, -1l, RWF_NOWAIT) : -1;
	/* A sandbox may deny the call with any error. */
	if (done < 0 && (!S_ISFIFO(stderr_then.stx_mode) || (errno != EAGAIN && errno != EPIPE && errno != EINTR)))
		done = write(fd, line, n);
	return done;
}

/* A reader that is gone, or a limit on file size, would end the program by a signal of our making. */
static bool write_unharmed(int fd, const char *line, size_t n)
{
	sigset_t ours, pending, before;
	bool done;

	sigemptyset(&ours);
	sigaddset(&ours, SIGPIPE);
	sigaddset(&ours, SIGXFSZ);
	sigpending(&pending);
	sigprocmask(SIG_BLOCK, &ours, &before);
	done = write_at_once(fd, line, n) >= 0;
	if (!done && (errno == EPIPE || errno == EFBIG) && !sigismember(&pending, errno == EPIPE ? SIGPIPE : SIGXFSZ))
		sigtimedwait(&ours, NULL, &(struct timespec){ 0 });
	sigprocmask(SIG_SETMASK, &before, NULL);
	return done;
}

/*
 * The program's, for a moment, from a table of our own. By its name it is opened anew: of what does not append it would then be
 * the beginning that we write over.
 */
static int borrow_stderr(void)
{
	int process = (int)syscall(SYS_pidfd_open, getpid(), 0), fd = -1;

	if (process >= 0) {
		fd = (int)syscall(SYS_pidfd_getfd, process, STDERR_FILENO, 0);
		close(process);
	}
	if (fd < 0 && (!S_ISREG(stderr_then.stx_mode) || stderr_appends))
		fd = open("/proc/self/fd/2", O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd;
}

static bool write_line(const char *line, size_t n)
{
	bool apart = apart_here(), done;
	int fd = apart ? borrow_stderr() : STDERR_FILENO;

	if (apart && fd < 0)
		atomic_store(&no_descriptor, true);
	done = is_stderr(fd) && write_unharmed(fd, line, n);
	if (apart && fd >= 0)
		close(fd);
	return done;
}

/* A line is one write(2): lines of many ranks do not mix, and nothing is buffered when a rank dies. */
static void say(const char *format, va_list args)
{
	char line[1400] = "ranktrace: ";
	size_t n = strlen(line);
	int made = vsnprintf(line + n, sizeof(line) - n - 1, format, args);

	if (made < 0)
		return;
	make_printable(line);
	made = (int)strlen(line + n);
	n += (size_t)made < sizeof(line) - n - 1 ? (size_t)made : sizeof(line) - n - 2;
	line[n] = '\n';
	if (write_line(line, n + 1))
		return;
	line[n] = '\0';
	session_unsaid(line + strlen("ranktrace: "));
}

void log_rest(void)
{
	char line[sizeof(session->unsaid) + 16];

	if (!atomic_load(&no_descriptor) || !session->unsaid[0] || apart_here())
		return;
	if (write_line(line, (size_t)snprintf(line, sizeof(line), "ranktrace: %s\n", session->unsaid)))
		session->unsaid[0] = '\0';
}

static bool first_here(const char *topic)
{
	for (unsigned int i = 0; i < TOPICS; i++) {
		const char *other = NULL;

		if (atomic_compare_exchange_strong(&said[i], &other, topic))
			return true;
		if (text_equal(other, topic))
			return false;
	}
	return false;
}

/* Ranks of one launch agree through an exclusive file beside their sessions; the launcher removes it. */
static bool first_in_job(const char *topic)
{
	char path[320];

	if (!launch_id[0] || !said_root[0])
		return true;
	snprintf(path, sizeof(path), "%s/said.%s.%s", said_root, launch_id, topic);
	return !syscall(SYS_mknodat, AT_FDCWD, path, S_IFREG | 0600, 0) || errno != EEXIST; /* takes no descriptor */
}

void log_once(const char *topic, const char *format, ...)
{
	int saved = errno;
	va_list args;

	if (first_here(topic) && first_in_job(topic)) {
		va_start(args, format);
		say(format, args);
		va_end(args);
	}
	errno = saved;
}

void log_more(const char *format, ...)
{
	int saved = errno;
	va_list args;

	if (log_level < 1)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
	errno = saved;
}

const char *log_errno(int error)
{
	static const struct {
		int error;
		const char *words;
	} known[] = {
		{ ENOSPC, "no space left on the device" },
		{ EDQUOT, "the quota is used up" },
		{ EFBIG, "the file would be too large" },
		{ EACCES, "permission denied" },
		{ EPERM, "not permitted" },
		{ EROFS, "read-only file system" },
		{ ENOENT, "no such file or directory" },
		{ ENOTDIR, "not a directory" },
		{ EEXIST, "a file of that name exists" },
		{ ELOOP, "a symbolic link is in the way" },
		{ ENAMETOOLONG, "the name is too long" },
		{ EMFILE, "the process has no descriptor left" },
		{ ENFILE, "the system has no descriptor left" },
		{ ENOMEM, "no memory" },
		{ EAGAIN, "no thread or memory is available now" },
		{ EIO, "input/output error" },
		{ ESTALE, "the file server has lost the file" },
		{ EBADF, "the descriptor was closed" },
		{ EINVAL, "the kernel refuses it, as behind unshare(CLONE_NEWPID)" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].error == error)
			return known[i].words;
	return "it failed";
}
