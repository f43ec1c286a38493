#include "analysis/launch/python_ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/launch/program.h"

#define PATIENCE_MS 5000 /* with all questions of a start together */
#define WORDS	    64	 /* of the command, that are looked at */

/* ---- which Python ---- */

/* The first word of the command that is a Python, or a script of one. */
static bool find_python(char *const *command, char *path, size_t size)
{
	struct program p;

	for (int i = 0; command[i] && i < WORDS; i++) {
		if (command[i][0] == '-' || strchr(command[i], '='))
			continue;
		program_inspect(&p, command[i]);
		if (p.python[0]) {
			snprintf(path, size, "%s", p.python);
			return true;
		}
	}
	return false;
}

bool python_is_in(char *const *command)
{
	char path[PATH_MAX];

	return find_python(command, path, sizeof(path));
}

/* ---- asking it ---- */

#define ANSWER PYTHON_ANSWER

/* In the child. What others preload is for the job, and what we do all the more. */
static void ask(const char *python, const char *question, int answer)
{
	int nothing = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a ^C is for our group */
	dup2(nothing, 0);
	dup2(answer, 1);
	dup2(nothing, 2);
	unsetenv("LD_PRELOAD");
	execlp(python, python, "-B", "-c", question, (char *)NULL);
	_exit(127);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The line that says it, or NULL: not yet. */
static char *answer_in(char *text)
{
	char *line = strstr(text, "\n" ANSWER), *end = line ? strchr(line + 1, '\n') : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	return line + 1 + strlen(ANSWER);
}

/* Until it is said, or nobody is left who could, or patience ends: whoever Python leaves behind may hold the pipe. */
static char *listen(int fd, char *text, size_t size, int64_t *patience)
{
	int64_t deadline = now_ms() + *patience, left = *patience;
	struct pollfd p = { fd, POLLIN, 0 };
	size_t used = 0;
	char *answer = NULL;
	ssize_t n = 1;

	while (!answer && n && used + 1 < size && (left = deadline - now_ms()) > 0) {
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		n = read(fd, text + used, size - used - 1);
		used += n > 0 ? (size_t)n : 0;
		text[used] = '\0';
		answer = answer_in(text);
	}
	*patience = left > 0 ? deadline - now_ms() : 0;
	return answer;
}

/* Whoever it has started goes with it. */
static void end(pid_t child)
{
	kill(-child, SIGKILL);
	kill(child, SIGKILL); /* its group may not be there */
	waitpid(child, NULL, 0);
}

static void tell_of_silence(const char *python)
{
	fprintf(stderr, "ranktrace: %s does not answer in %d s and is asked no more: which packages the job has cannot be told\n", python,
		PATIENCE_MS / 1000);
}

bool python_ask(char *const *command, const char *question, char *told, size_t size)
{
	static int64_t patience = PATIENCE_MS;
	char python[PATH_MAX], text[16384] = "", *answer = NULL;
	int pipes[2];
	pid_t child;

	*told = '\0';
	if (patience <= 0)
		return false;
	if (!find_python(command, python, sizeof(python)))
		snprintf(python, sizeof(python), "python3"); /* what a script further down would find */
	if (pipe2(pipes, O_CLOEXEC))
		return false;
	child = fork();
	if (!child)
		ask(python, question, pipes[1]);
	close(pipes[1]);
	if (child > 0) {
		setpgid(child, child); /* it does, too: whoever comes first */
		answer = listen(pipes[0], text, sizeof(text), &patience);
		end(child);
	}
	if (patience <= 0 && !answer)
		tell_of_silence(python);
	close(pipes[0]);
	snprintf(told, size, "%s", answer ? answer : "");
	return answer;
}
