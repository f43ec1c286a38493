#include "analysis/launch/torch_npu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/launch/program.h"
#include "config/option.h"

#define PATIENCE_MS 5000
#define WORDS	    64 /* of the command, that are looked at */

/* ---- which Python ---- */

/* The first word of the command that is a Python, or a script of one; else what a script further down would find. */
static void find_python(char *const *command, char *path, size_t size)
{
	struct program p;

	for (int i = 0; command[i] && i < WORDS; i++) {
		if (command[i][0] == '-' || strchr(command[i], '='))
			continue;
		program_inspect(&p, command[i]);
		if (p.python[0]) {
			snprintf(path, size, "%s", p.python);
			return;
		}
	}
	snprintf(path, size, "python3");
}

/* ---- asking it ---- */

#define ANSWER "torch_npu="

/* As a script would find it: the working directory is not looked into. Nothing is imported that Python has not anyway. */
static const char question[] =
	"import sys\n"
	"sys.path[:] = [p for p in sys.path if p]\n"
	"import importlib.util, os\n"
	"spec = importlib.util.find_spec('torch_npu')\n"
	"for place in spec and spec.submodule_search_locations or ():\n"
	"    os.write(1, b'\\n" ANSWER "' + os.fsencode(place) + b'\\n')\n";

/* In the child. What others preload is for the job, and what we do all the more. */
static void ask(const char *python, int answer)
{
	int nothing = open("/dev/null", O_RDWR);

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
static char *listen(int fd, char *text, size_t size)
{
	int64_t deadline = now_ms() + PATIENCE_MS, left;
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
	return answer;
}

/* Where torch_npu's folder is; false: it cannot be told. */
static bool find_torch_npu(const char *python, char *path, size_t size)
{
	char text[16384] = "", *answer = NULL;
	int pipes[2];
	pid_t child;

	if (pipe2(pipes, O_CLOEXEC))
		return false;
	child = fork();
	if (!child)
		ask(python, pipes[1]);
	close(pipes[1]);
	if (child > 0) {
		answer = listen(pipes[0], text, sizeof(text));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	close(pipes[0]);
	snprintf(path, size, "%s", answer ? answer : "");
	return answer;
}

/* ---- what it is ---- */

static bool file_has(const char *path, const char *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	struct stat st;
	bool has;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED)
		return false;
	has = memmem(bytes, (size_t)st.st_size, text, strlen(text));
	munmap(bytes, (size_t)st.st_size);
	return has;
}

static bool asks(char *const *command)
{
	char python[PATH_MAX], folder[4096], library[4096 + 32];

	find_python(command, python, sizeof(python));
	if (!find_torch_npu(python, folder, sizeof(folder)))
		return false;
	snprintf(library, sizeof(library), "%s/lib/libtorch_npu.so", folder);
	return file_has(library, "msptiActivityIsEnabled");
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* Without that file it does not ask, whatever it is. */
static bool mspti_is_there(void)
{
	const char *home = variable("ASCEND_HOME_PATH");
	char path[4096];

	snprintf(path, sizeof(path), "%s/lib64/libmspti.so", home ? home : "");
	return home && !access(path, F_OK);
}

enum option_word torch_npu_gate(const struct config *c, char *const *command)
{
	bool wanted = c->enable && (c->steps.all || c->steps.count);

	if (!variable("ASCEND_HOME_PATH") && !variable("ASCEND_TOOLKIT_HOME") && !variable("ASCEND_OPP_PATH"))
		return TORCH_NPU_AUTO;
	return wanted && mspti_is_there() && asks(command) ? TORCH_NPU_ASK : TORCH_NPU_MARKERS;
}
