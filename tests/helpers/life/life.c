/* life CASE - one way for a process or a thread to begin, change or end while its calls are recorded. */
#include "life.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <time.h>

extern const struct life_case __start_life[], __stop_life[];
const char *life_self;
_Atomic int life_over;

void life_calls(int n)
{
	static const size_t size = 64;
	static char kernel[] = "life";

	for (int i = 0; i < n; i++) {
		errno = 1234 + i % 7;
		clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
		if (errno != 1234 + i % 7) {
			fprintf(stderr, "errno became %d in call %d\n", errno, i);
			_exit(99);
		}
	}
}

void life_may(const char *what, long n)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "%s %ld\n", what, n);
	int fd = open("may", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (write(fd, line, (size_t)length) != length)
		_exit(89);
	close(fd);
}

void life_pause(int milliseconds)
{
	nanosleep(&(struct timespec){ milliseconds / 1000, milliseconds % 1000 * 1000000l }, NULL);
}

int life_wait(pid_t child)
{
	int status = -1;

	if (child < 0)
		return 90;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 91;
}

void life_exec_self(void)
{
	execl(life_self, life_self, "plain", (char *)NULL);
	_exit(92);
}

void *life_call_some(void *n)
{
	life_calls((int)(intptr_t)n);
	return NULL;
}

void *life_call_until_over(void *unused)
{
	(void)unused;
	while (!life_over) {
		life_calls(1);
		if (rand() % 16 == 0)
			life_pause(1);
	}
	return NULL;
}

void life_start(pthread_t *threads, int n, void *(*run)(void *), void *argument)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 << 10);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], &attr, run, argument))
			_exit(96);
	pthread_attr_destroy(&attr);
}

void life_join(const pthread_t *threads, int n)
{
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

void *life_library(const char *name)
{
	char path[4096];
	void *library;

	snprintf(path, sizeof(path), "./%s", name);
	library = dlopen(path, RTLD_NOW);
	if (!library)
		fprintf(stderr, "%s\n", dlerror());
	return library;
}

int main(int argc, char **argv)
{
	life_self = argv[0];
	for (const struct life_case *c = __start_life; c < __stop_life; c++) {
		if (argc < 2)
			printf("%s %s %s\n", c->word, c->sentence, c->options);
		else if (!strcmp(c->word, argv[1]))
			return c->run();
	}
	return argc > 1 ? 98 : 0;
}
