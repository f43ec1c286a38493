/* supervise.c - `ranktrace supervise -- command`: stands by the command and clears up after it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/save_path.h"
#include "analysis/check/closing_lines.h"
#include "analysis/check/explain.h"
#include "analysis/commands/job_export.h"
#include "analysis/commands/job_process.h"
#include "analysis/commands/commands.h"
#include "analysis/launch/program.h"
#include "analysis/launch/ray.h"
#include "analysis/launch/vendor.h"
#include "analysis/run/collect.h"
#include "analysis/run/launcher_lock.h"
#include "analysis/run/run_folder.h"
#include "analysis/run/untraced.h"
#include "analysis/session/sessions.h"
#include "config/load/load.h"

static const char usage[] =
	"Usage: ranktrace supervise [--] COMMAND [ARGUMENT]...\n"
	"Runs a command, then collects the traces of its processes and explains what is missing.\n"
	"Use ranktrace-run, which sets the RANKTRACE_* variables first.\n"
	"  -h, --help   this text\n"
	"Exit status: that of the command.\n";

struct supervisor {
	struct run run;
	struct job_process job;
	bool warned; /* that save_path cannot be written: once is enough */
	int watch;   /* fd; -1: the library cannot be watched */
	struct untraced_watch untraced;
};

/* ---- counting who loads the library ---- */

static int watch_library(const char *preload)
{
	const char *name = preload ? strstr(preload, "/libranktrace.so") : NULL, *start = name;
	char path[1024];
	int fd;

	if (!name)
		return -1;
	while (start > preload && start[-1] != ':')
		start--;
	snprintf(path, sizeof(path), "%.*s/libranktrace.so", (int)(name - start), start);
	fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	/* Equal events in a row are merged by the kernel: closing in between keeps openings apart. */
	if (fd >= 0 && inotify_add_watch(fd, path, IN_OPEN | IN_CLOSE_NOWRITE) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void count_loads(struct supervisor *s)
{
	_Alignas(struct inotify_event) char buffer[4096];
	const struct inotify_event *e;
	ssize_t n;

	while (s->watch >= 0 && (n = read(s->watch, buffer, sizeof(buffer))) > 0) {
		for (char *p = buffer; p < buffer + n; p += sizeof(*e) + e->len) {
			e = (const struct inotify_event *)p;
			s->run.loads += !!(e->mask & IN_OPEN);
		}
	}
}

/* ---- meanwhile ---- */

/* Nobody is to be missed where nothing is preloaded or selected. */
static bool misses_processes(const struct supervisor *s)
{
	const struct config *asked = &s->run.asked;

	return s->watch >= 0 && asked->enable && (asked->steps.all || asked->steps.count);
}

/* A terminal that is stopped must not keep signals from the command: what it does not take now is said in the end. */
static void look_for_untraced(struct supervisor *s)
{
	struct pollfd out = { STDERR_FILENO, POLLOUT, 0 };

	untraced_look(&s->untraced, &s->run);
	if (poll(&out, 1, 0) == 1 && (out.revents & POLLOUT))
		explain_untraced(&s->run, stderr, "ranktrace: ");
}

static void wait_for_command(struct supervisor *s)
{
	struct pollfd fds[2] = { { s->job.signals, POLLIN, 0 }, { s->watch, POLLIN, 0 } };
	bool over = false, misses = misses_processes(s);

	while (!over) {
		if (poll(fds, 2, misses ? untraced_pause(&s->untraced) : -1) < 0 && errno != EINTR)
			break;
		if (misses)
			look_for_untraced(s);
		count_loads(s);
		over = job_process_read(&s->job, &s->run);
	}
	count_loads(s);
}

/* ---- afterwards ---- */

/* With its fraction: of two runs of the same second one was first. */
static void now_text(char *text, size_t size)
{
	struct timespec now;
	struct tm tm;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	n = strftime(text, size, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now.tv_sec, &tm));
	snprintf(text + n, size - n, ".%09ldZ", now.tv_nsec);
}

static void finish(struct supervisor *s)
{
	char folder[1200];
	struct run *r = &s->run;
	int fd, err, status = s->job.status;

	now_text(r->ended, sizeof(r->ended));
	if (WIFEXITED(status))
		r->exit_status = WEXITSTATUS(status);
	else
		r->signal = WTERMSIG(status);
	fd = run_folder_make(&r->asked, folder, sizeof(folder));
	collect(r, folder);
	err = fd < 0 ? fd : run_write(r, fd);
	if (fd >= 0)
		close(fd);
	if (err && !s->warned)
		fprintf(stderr, "ranktrace: run.json cannot be written in %s: %s\n", folder,
			strerror(-err));
	closing_lines(r, folder);
	job_export(r, folder, s->job.told_to_end ? -1 : s->job.signals);
	launcher_delete(r->launch);
	run_free(r);
}

/* Of a command that never ran. */
static void forget_folder(const struct config *c)
{
	char folder[1200];
	int fd = run_folder_make(c, folder, sizeof(folder));

	if (fd < 0)
		return;
	close(fd);
	rmdir(folder);
}

/* Better told before a long job than after it. The job runs all the same. */
static bool warn_of_save_path(const struct config *c)
{
	char folder[1200];
	int fd = run_folder_make(c, folder, sizeof(folder)), error = fd < 0 ? -fd : 0;

	if (fd >= 0 && faccessat(fd, ".", W_OK | X_OK, 0))
		error = errno;
	if (fd >= 0)
		close(fd);
	if (error)
		fprintf(stderr, "ranktrace: %s cannot be written (%s), nothing will be recorded: "
				"give another --save-path\n",
			error == EPERM ? folder : c->save_path,
			error == EPERM ? PLACE_REFUSED : strerror(error));
	return error;
}

/* Rings without a name are lost with their process. */
static void warn_of_sessions(void)
{
	char root[SESSION_PATH];
	int err;

	sessions_root(root, sizeof(root));
	err = *root == '/' ? sessions_possible(root) : -EINVAL;
	if (err)
		fprintf(stderr, "ranktrace: %s cannot hold buffers (%s): a rank that is killed loses what it has not written: "
				"remove it, or set RANKTRACE_SESSION_ROOT\n",
			root, err == -EPERM ? PLACE_REFUSED : strerror(-err));
}

static int prepare(struct supervisor *s, char **command)
{
	struct run *r = &s->run;
	struct program program;
	char error[1400];

	*s = (struct supervisor){ .run = { .exit_status = -1, .signal = -1, .command = command } };
	if (config_load(&r->asked, error, sizeof(error))) {
		fprintf(stderr, "ranktrace: %s\n", error);
		return EXIT_USAGE;
	}
	s->job.umask = umask(077);
	program_inspect(&program, command[0]);
	snprintf(r->program, sizeof(r->program), "%s", program.path);
	snprintf(r->program_kind, sizeof(r->program_kind), "%s", program_words[program.kind]);
	snprintf(r->environment, sizeof(r->environment), "%s", launch_environment(command));
	snprintf(r->launch, sizeof(r->launch), "%s", r->asked.launch);
	if (gethostname(r->host, sizeof(r->host) - 1))
		snprintf(r->host, sizeof(r->host), "localhost");
	now_text(r->started, sizeof(r->started));
	s->warned = warn_of_save_path(&r->asked);
	if (!s->warned)
		warn_of_sessions();
	return job_process_take_signals(&s->job) ? 0 : 125;
}

/* The folder of a library whose path LD_PRELOAD cannot carry. */
static int link_library(const struct run *r)
{
	const char *folder = getenv("RANKTRACE_LINKED");
	char root[SESSION_PATH];
	int err = folder && *folder ? launcher_link(r->launch, folder) : 0;

	sessions_root(root, sizeof(root));
	if (err)
		fprintf(stderr, "ranktrace: LD_PRELOAD cannot contain the path '%s', and %s can have no link to it (%s): "
				"install ranktrace below a path without blanks and colons\n",
			folder, root, err == -EPERM ? PLACE_REFUSED : strerror(-err));
	unsetenv("RANKTRACE_LINKED");
	return err;
}

/* Before the command is there: what others are to find of us, and who is counted that loads the library. */
static int set_out(struct supervisor *s)
{
	struct run *r = &s->run;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (r->launch[0])
		launcher_lock(r->launch); /* held until we are gone */
	if (link_library(r))
		return EXIT_USAGE;
	s->watch = watch_library(getenv("RANKTRACE_PRELOAD"));
	r->loads = s->watch < 0 ? -1 : 0;
	if (r->launch[0] && s->warned)
		launcher_said(r->launch, "save-path");
	return 0;
}

int cmd_supervise(int argc, char **argv)
{
	static struct supervisor supervisor;
	struct supervisor *s = &supervisor;
	int error;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "--"))
		argc--, argv++;
	if (argc < 2) {
		fprintf(stderr, "ranktrace: no command: ranktrace supervise -- command...\n");
		return EXIT_USAGE;
	}
	error = prepare(s, argv + 1);
	if (error)
		return error;
	error = set_out(s);
	if (error) {
		launcher_delete(s->run.launch);
		return error;
	}
	error = job_process_start(&s->job, ray_command(argv + 1, getenv("RANKTRACE_PRELOAD"), s->run.asked.save_path));
	if (error) {
		fprintf(stderr, "ranktrace: cannot run %s: %s\n", argv[1], strerror(error));
		forget_folder(&s->run.asked);
		launcher_delete(s->run.launch);
		return error == ENOENT ? 127 : 126;
	}
	signal(SIGPIPE, SIG_IGN); /* a reader of stderr may be gone; the status still counts */
	wait_for_command(s);
	finish(s);
	return job_process_end_alike(&s->job);
}
