#include "analysis/commands/job_export.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/check/closing_lines.h"
#include "analysis/commands/export_formats.h"
#include "analysis/run/run_folder.h"
#include "analysis/run/run_totals.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"
#include "config/option_words.h"

#define NICENESS 10 /* others may still train on this host */
#define LOG	 "analysis"
#define ENDED	 "ranktrace: ended with status "

static const struct {
	int export_type;
	enum export_format_number format;
} types[] = {
#define EXPORT_TYPE(symbol, exporter) { symbol, FORMAT_##exporter },
#include "analysis/export/export_types.def"
#undef EXPORT_TYPE
};

static const struct export_format *format_of(const struct run *r)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].export_type == (int)r->asked.export_type)
			return export_format(types[i].format);
	return export_format(types[0].format); /* of files that do not tell */
}

/* Below the run's folder; only what ends in a slash makes some formats write a file for each process. */
static char *place_of(const struct export_format *format, const char *folder)
{
	return alloc_format("%s/%s%s", folder, format->word, format->exporter->may_be_folder ? "/" : "");
}

/* ---- its words ---- */

/* A trace's name ends in -PID-ID.rtrace, whatever its window. */
static const char *owner(const char *path)
{
	const char *end = strrchr(path, '-');

	for (end = end ? end - 1 : path; end > path && *end != '-'; end--)
		;
	return end;
}

static bool is_ours(const struct run *r, const char *path)
{
	for (unsigned int i = 0; i < r->count; i++)
		if (*r->processes[i].file && !strncmp(owner(path), owner(r->processes[i].file), strcspn(owner(path), ".")))
			return true;
	return false;
}

/* The launchers of a job share its folder: each exports what its own processes wrote. */
static size_t keep_ours(const struct run *r, struct trace_paths *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->count; i++) {
		if (is_ours(r, f->paths[i]))
			f->paths[kept++] = f->paths[i];
		else
			free(f->paths[i]);
	}
	return f->count = kept;
}

/* ranktrace export --to FORMAT -o PLACE TRACE..., or FOLDER where there are no others */
static char **words_of(const struct export_format *format, char *place, const char *folder, const struct trace_paths *ours)
{
	char *first[] = { "ranktrace", "export", "--to", (char *)format->word, "-o", place };
	size_t n = sizeof(first) / sizeof(*first);
	char **words = alloc_zero(n + ours->count + 2, sizeof(*words));

	memcpy(words, first, sizeof(first));
	if (ours->count)
		memcpy(words + n, ours->paths, ours->count * sizeof(*words));
	else
		words[n] = (char *)folder;
	return words;
}

/* ---- its processes ---- */

static int open_log(const struct run *r, const char *folder, char *path, size_t size)
{
	int fd;

	snprintf(path, size, "%s/" LOG ".log", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 && errno == EEXIST) {
		snprintf(path, size, "%s/" LOG "-%s-%s.log", folder, r->host, r->launch);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	if (fd >= 0)
		flock(fd, LOCK_EX | LOCK_NB); /* as long as the export runs: see is_running() */
	return fd;
}

/* Who waits for the end of the launcher's files does not wait for us. */
static void leave_files(int log)
{
	int null = open("/dev/null", O_RDONLY);

	dup2(null, STDIN_FILENO);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	for (long fd = STDERR_FILENO + 1, most = sysconf(_SC_OPEN_MAX); syscall(SYS_close_range, fd, ~0u, 0) && fd < most; fd++)
		close((int)fd);
}

__attribute__((noreturn)) static void become(char **words)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	execv("/proc/self/exe", words);
	dprintf(STDERR_FILENO, "ranktrace: cannot be started: %s\n", strerror(errno));
	_exit(126);
}

/* Writes down how it ends, whoever else has ended by then. Signals are blocked here, and sent to the group: those of before the fork, too. */
__attribute__((noreturn)) static void keep(char **words, int log)
{
	sigset_t sent;
	int status;
	pid_t pid;

	setsid();
	setpriority(PRIO_PROCESS, 0, NICENESS);
	leave_files(log);
	pid = fork();
	if (pid == 0)
		become(words);
	if (pid > 0 && !sigpending(&sent) && sigismember(&sent, SIGTERM))
		kill(pid, SIGTERM);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		_exit(125);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	dprintf(STDERR_FILENO, ENDED "%d\n", status);
	_exit(status);
}

/* What wants our end wants its end first. It may not have its group yet. */
static void pass_on(int signals, pid_t group)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info)) {
		bool ends = info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT || info.ssi_signo == SIGHUP || info.ssi_signo == SIGQUIT;

		if (ends && kill(-group, SIGTERM))
			kill(group, SIGTERM);
		if (info.ssi_signo == SIGTSTP)
			raise(SIGSTOP);
	}
}

/* Orphans of the job may end meanwhile, too. False: it has not ended. */
static bool has_ended(pid_t pid, int *status)
{
	pid_t one;

	do
		one = waitpid(-1, status, WNOHANG);
	while (one > 0 && one != pid);
	return one;
}

static int stand_by(int signals, pid_t pid)
{
	struct pollfd fd = { signals, POLLIN, 0 };
	int status = 0;

	while (!has_ended(pid, &status)) {
		if (poll(&fd, 1, -1) < 0 && errno != EINTR)
			break;
		pass_on(signals, pid);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void start(const struct run *r, const char *folder, const struct trace_paths *ours, int signals)
{
	char path[PATH_MAX], log_shown[PATH_MAX], shown[PATH_MAX], *place, **words;
	int log = open_log(r, folder, path, sizeof(path)), status;
	pid_t pid;

	run_folder_show(path, log_shown, sizeof(log_shown));
	if (log < 0) {
		fprintf(stderr, "ranktrace: analysis: %s cannot be written: %s\n", log_shown, strerror(errno));
		return;
	}
	place = place_of(format_of(r), folder);
	run_folder_show(place, shown, sizeof(shown));
	fprintf(stderr, "ranktrace: analysis: exports to %s%s\n", shown, r->asked.wait ? "" : ", and is not waited for");
	words = words_of(format_of(r), place, folder, ours);
	pid = fork();
	if (pid == 0)
		keep(words, log);
	free(words);
	free(place);
	close(log);
	if (pid > 0 && !r->asked.wait)
		return;
	status = pid < 0 ? 125 : stand_by(signals, pid);
	if (status)
		fprintf(stderr, "ranktrace: analysis: the export ended with status %d: %s says why\n", status, log_shown);
	else
		fprintf(stderr, "ranktrace: analysis: done\n");
}

/* What to type for it. */
static void say_command(const struct run *r, const char *folder, FILE *out, const char *before)
{
	char words[64], shown[PATH_MAX], *place;

	run_folder_show(folder, shown, sizeof(shown));
	place = place_of(format_of(r), shown);
	snprintf(words, sizeof(words), "export --to %s", format_of(r)->word);
	fputs(before, out);
	closing_lines_command(out, words, shown);
	fprintf(out, " -o %s\n", place);
	free(place);
}

void job_export(const struct run *r, const char *folder, int signals)
{
	struct run_totals totals = run_totals(r);
	struct trace_paths files = { 0 };
	const struct trace_paths no_others = { 0 };
	size_t all;

	if (!r->asked.analysis || !(totals.recorders || totals.stages_alone))
		return;
	trace_paths_find(&files, folder);
	all = files.count;
	if (keep_ours(r, &files) && signals < 0)
		say_command(r, folder, stderr, "ranktrace: analysis: not started, as ranktrace-run was told to end; later: ");
	else if (files.count)
		start(r, folder, files.count == all ? &no_others : &files, signals);
	trace_paths_free(&files);
}

/* ---- what became of it ---- */

/* -1: it has not ended. */
static int status_in(const char *path)
{
	char text[128] = "", *found;
	FILE *f = fopen(path, "re");

	if (f && fseek(f, -(long)(sizeof(text) - 1), SEEK_END))
		rewind(f);
	if (f) {
		text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
		fclose(f);
	}
	found = strstr(text, ENDED);
	return found ? atoi(found + strlen(ENDED)) : -1;
}

static bool is_running(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return locked;
}

static bool say_log(const char *path)
{
	int status = status_in(path);
	char shown[PATH_MAX];

	run_folder_show(path, shown, sizeof(shown));
	if (status < 0 && is_running(path)) {
		printf("analysis: the export goes on: %s\n", shown);
		return true;
	}
	if (status < 0)
		printf("analysis: the export was killed: %s\n", shown);
	else if (status)
		printf("analysis: the export ended with status %d: %s says why\n", status, shown);
	return !status;
}

bool job_export_say(const struct run *r, const char *folder)
{
	DIR *dir = r->asked.analysis && trace_paths_below(folder) ? opendir(folder) : NULL;
	bool started = false, well = true;
	char path[PATH_MAX];
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		size_t length = strlen(d->d_name);

		if (strncmp(d->d_name, LOG, strlen(LOG)) || length < strlen(LOG ".log") || strcmp(d->d_name + length - 4, ".log"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, d->d_name);
		started = true;
		well &= say_log(path);
	}
	if (!dir)
		return true;
	closedir(dir);
	if (!started)
		say_command(r, folder, stdout, "analysis: nobody has started the export (ranktrace-run does, at a job's end); to do so: ");
	return started && well;
}
