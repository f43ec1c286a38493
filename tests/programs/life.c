/*
 * life CASE - one way for a process or a thread to begin, change or end while its calls are
 * recorded. The fake library counts what was called, e2e_life.sh compares. Built again with
 * -DLIFE_LIBRARY it is a library whose constructor ends the program.
 */
#include "fake_opencl.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void calls(int n)
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

#ifdef LIFE_LIBRARY
__attribute__((constructor)) static void loaded(void)
{
	calls(100);
	exit(5);
}
#else

static const char *self;

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000l }, NULL);
}

static int wait_for(pid_t child)
{
	int status = -1;

	if (child < 0)
		return 90;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 91;
}

static int run_self(void)
{
	execl(self, self, "plain", (char *)NULL);
	_exit(92);
}

static void *call_some(void *n)
{
	calls((int)(intptr_t)n);
	return NULL;
}

static int plain(void)
{
	calls(1000);
	return 0;
}

/* ---- processes ---- */

static int fork_and_go_on(void)
{
	pid_t child;

	calls(500);
	child = fork();
	calls(child ? 500 : 300);
	return child ? wait_for(child) : 0;
}

static _Atomic int over;

static void *call_until_over(void *unused)
{
	(void)unused;
	while (!over) {
		calls(1);
		if (rand() % 64 == 0)
			pause_ms(1);
	}
	return NULL;
}

static int fork_under_load(void)
{
	pthread_t threads[4];
	int bad = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, call_until_over, NULL);
	for (int i = 0; i < 60; i++) {
		pid_t child = fork();

		if (!child) {
			calls(i % 3 * 5);
			if (i % 2)
				_exit(0);
			exit(0);
		}
		bad |= wait_for(child);
	}
	over = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return bad;
}

/* A child of a child, and siblings: each a file of its own. */
static int fork_twice(void)
{
	pid_t child;
	int status = 0;

	calls(10);
	child = fork();
	if (!child) {
		calls(20);
		child = fork();
		calls(40);
		_exit(child ? wait_for(child) : 0);
	}
	status = wait_for(child);
	child = fork(); /* this one calls nothing */
	if (!child)
		exit(0);
	status |= wait_for(child);
	calls(10);
	return status;
}

static int vfork_and_exec(void)
{
	pid_t child;

	calls(500);
	child = vfork();
	if (!child)
		run_self();
	calls(500);
	return wait_for(child);
}

static int raw_clone(void)
{
	long child;

	calls(500);
	child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	calls(child ? 500 : 200);
	return child ? wait_for((pid_t)child) : 0;
}

static int exec_in_place(void)
{
	calls(500);
	pause_ms(30);
	return run_self();
}

static int leave_at_once(void)
{
	calls(700);
	_exit(3);
}

static void *exit_from_here(void *unused)
{
	(void)unused;
	calls(500);
	exit(4);
}

static int exit_in_thread(void)
{
	pthread_t thread;

	calls(500);
	pthread_create(&thread, NULL, exit_from_here, NULL);
	pthread_join(thread, NULL);
	return 93;
}

static int exit_while_others_call(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, call_until_over, NULL);
	pause_ms(20);
	exit(7);
}

static int exit_in_constructor(void)
{
	char path[4096];

	calls(500);
	snprintf(path, sizeof(path), "%s-library.so", self);
	dlopen(path, RTLD_NOW);
	return 94;
}

static int abort_now(void)
{
	calls(500);
	abort();
}

static int quick(void)
{
	calls(500);
	quick_exit(6);
}

static int segfault(void)
{
	calls(500);
	raise(SIGSEGV);
	return 95;
}

/* ---- threads ---- */

static int churn(void)
{
	pthread_t threads[64];

	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < 64; i++)
			pthread_create(&threads[i], NULL, call_some, (void *)10);
		for (int i = 0; i < 64; i++)
			pthread_join(threads[i], NULL);
	}
	return 0;
}

static pthread_barrier_t barrier;

static void *call_together(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier);
	calls(10);
	pthread_barrier_wait(&barrier);
	calls(10);
	return NULL;
}

static int many(void)
{
	pthread_t threads[300];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 << 10);
	pthread_barrier_init(&barrier, NULL, 300);
	for (int i = 0; i < 300; i++)
		if (pthread_create(&threads[i], &attr, call_together, NULL))
			return 96;
	for (int i = 0; i < 300; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void *call_until_cancelled(void *unused)
{
	(void)unused;
	for (;;) {
		calls(3);
		pause_ms(0); /* where the cancellation comes in */
	}
	return NULL;
}

static int cancel(void)
{
	pthread_t thread;

	for (int i = 0; i < 100; i++) {
		pthread_create(&thread, NULL, call_until_cancelled, NULL);
		pause_ms(i % 4);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	return 0;
}

static pthread_key_t key;

/* Comes round as often as the thread library allows. */
static void late(void *rounds)
{
	calls(1);
	if ((intptr_t)rounds > 1)
		pthread_setspecific(key, (char *)rounds - 1);
}

static void *call_and_leave_late(void *unused)
{
	(void)unused;
	pthread_setspecific(key, (void *)4);
	calls(10);
	return NULL;
}

static int late_destructors(bool key_first)
{
	pthread_t thread;

	if (key_first)
		pthread_key_create(&key, late);
	calls(1);
	if (!key_first)
		pthread_key_create(&key, late);
	for (int i = 0; i < 50; i++) {
		pthread_create(&thread, NULL, call_and_leave_late, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}

static int late_before(void)
{
	return late_destructors(true);
}

static int late_after(void)
{
	return late_destructors(false);
}

/* ---- surroundings ---- */

static void on_alarm(int number)
{
	int saved = errno;

	(void)number;
	calls(1);
	errno = saved;
}

static void start_alarms(void)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 100 }, { 0, 100 } }, NULL);
}

static void stop_alarms(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
}

/*
 * The first call is the program's own: it starts the agent, which takes memory, and a handler may
 * interrupt malloc.
 */
static int signals(void)
{
	calls(1);
	start_alarms();
	for (int i = 0; i < 400; i++) {
		calls(200);
		sched_yield();
	}
	stop_alarms();
	return 0;
}

static int signals_in_threads(void)
{
	pthread_t threads[8];

	calls(1);
	start_alarms();
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&threads[i], NULL, call_some, (void *)200);
		for (int i = 0; i < 8; i++)
			pthread_join(threads[i], NULL);
	}
	stop_alarms();
	return 0;
}

/* All descriptors are closed, and their numbers taken by a file of the program's: it must stay empty. */
static int close_all(void)
{
	struct stat st;
	int fd;

	calls(500);
	pause_ms(50);
	closefrom(3);
	fd = open("victim", O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; i < 900; i++)
		if (dup(fd) < 0)
			break;
	for (int i = 0; i < 5; i++) {
		calls(9000);
		pause_ms(40);
	}
	return fstat(fd, &st) || st.st_size ? 97 : 0;
}

static void limit_files(void)
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 4096, 4096 });
}

static int small_files(void)
{
	limit_files();
	for (int i = 0; i < 6; i++) {
		calls(9000);
		pause_ms(40);
	}
	return 0;
}

static int small_files_later(void)
{
	calls(100);
	return small_files();
}

static const struct {
	const char *name;
	int (*run)(void);
} cases[] = {
	{ "plain", plain },
	{ "fork", fork_and_go_on },
	{ "fork_load", fork_under_load },
	{ "fork_twice", fork_twice },
	{ "vfork", vfork_and_exec },
	{ "clone", raw_clone },
	{ "exec", exec_in_place },
	{ "_exit", leave_at_once },
	{ "exit_thread", exit_in_thread },
	{ "exit_busy", exit_while_others_call },
	{ "exit_constructor", exit_in_constructor },
	{ "abort", abort_now },
	{ "quick_exit", quick },
	{ "segv", segfault },
	{ "churn", churn },
	{ "many", many },
	{ "cancel", cancel },
	{ "late_before", late_before },
	{ "late_after", late_after },
	{ "signals", signals },
	{ "signals_threads", signals_in_threads },
	{ "closefrom", close_all },
	{ "fsize", small_files },
	{ "fsize_later", small_files_later },
};

int main(int argc, char **argv)
{
	self = argv[0];
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (argc > 1 && !strcmp(cases[i].name, argv[1]))
			return cases[i].run();
	for (size_t i = 0; argc < 2 && i < sizeof(cases) / sizeof(*cases); i++)
		printf("%s\n", cases[i].name);
	return argc > 1 ? 98 : 0;
}
#endif
