#include "analysis/commands/job_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

/* Runs in the child; returns only if the command could not be started. */
static void become(const struct job_process *job, char **command)
{
	const char *preload = getenv("RANKTRACE_PRELOAD");

	if (preload && *preload)
		setenv("LD_PRELOAD", preload, 1);
	unsetenv("RANKTRACE_PRELOAD");
	sigaction(SIGCHLD, &job->child_action, NULL);
	sigprocmask(SIG_SETMASK, &job->before, NULL);
	umask(job->umask);
	execvp(command[0], command);
}

/* The pipe closes by itself when exec succeeds. */
int job_process_start(struct job_process *job, char **command)
{
	int pipes[2], error = 0;

	if (pipe2(pipes, O_CLOEXEC))
		return errno;
	job->child = fork();
	if (job->child == 0) {
		become(job, command);
		error = errno;
		if (write(pipes[1], &error, sizeof(error)) < 0)
			_exit(125);
		_exit(error == ENOENT ? 127 : 126);
	}
	if (job->child < 0)
		error = errno;
	close(pipes[1]);
	if (job->child > 0 && read(pipes[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(pipes[0]);
	return error;
}

static const int forwarded[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1,
				 SIGUSR2, SIGWINCH, SIGCONT, SIGTSTP };
#define FORWARDED (sizeof(forwarded) / sizeof(forwarded[0]))

bool job_process_take_signals(struct job_process *job)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (unsigned int i = 0; i < FORWARDED; i++)
		sigaddset(&set, forwarded[i]);
	sigprocmask(SIG_BLOCK, &set, &job->before);
	/* With SIGCHLD ignored, as some launchers leave it, no status could be read. */
	sigaction(SIGCHLD, &normal, &job->child_action);
	job->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return job->signals >= 0;
}

/*
 * The terminal sends to the whole foreground group, so the command has its own copy already: only
 * what was sent to us alone is passed on. A hang-up goes to the session's leader alone.
 */
static void pass_on(struct job_process *job, const struct signalfd_siginfo *info)
{
	int sig = (int)info->ssi_signo;
	bool by_terminal = info->ssi_code == SI_KERNEL;

	if (by_terminal && sig == SIGHUP && getsid(0) == getpid())
		by_terminal = false;
	job->told_to_end |= !by_terminal && sig == SIGTERM;
	if (!by_terminal)
		kill(job->child, sig);
	if (sig == SIGTSTP)
		raise(SIGSTOP); /* the shell waits for us, not for the command */
}

/* Who was killed, and by what, is worth a word in the end. */
static void note_end(struct run *r, pid_t pid, int status)
{
	r->children = alloc_grow(r->children, r->child_count + 1, sizeof(*r->children));
	r->children[r->child_count++] = (struct run_child){ pid, status };
}

static bool reap(struct job_process *job, struct run *r)
{
	bool over = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		note_end(r, pid, status);
		if (pid != job->child)
			continue; /* an orphan that became ours */
		job->status = status;
		over = true;
	}
	return over;
}

bool job_process_read(struct job_process *job, struct run *r)
{
	struct signalfd_siginfo info;
	bool over = false;

	while (read(job->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			over |= reap(job, r);
		else
			pass_on(job, &info);
	}
	return over;
}

int job_process_end_alike(const struct job_process *job)
{
	const struct rlimit none = { 0, 0 };
	int status = job->status;
	sigset_t set;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	sigemptyset(&set);
	sigaddset(&set, WTERMSIG(status));
	signal(WTERMSIG(status), SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}
