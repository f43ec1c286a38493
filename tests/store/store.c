/*
 * store CASE - a program that records while something is wrong with disk, memory or descriptors. It
 * prints a number at the end, which the fault must not change; the fake library counts its calls.
 */
#include "filter.h"
#include "tests/kill/fake_opencl.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static _Thread_local uint64_t state = 88172645463325252ull;

/* The same for every run; nothing that zstd could make smaller. */
static uint64_t noise(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static uint64_t sum;

static void calls(int n)
{
	for (int i = 0; i < n; i++) {
		uint64_t size = noise() >> 16;

		errno = 77;
		clEnqueueWriteBuffer(NULL, (void *)(uintptr_t)(noise() >> 20), 0, 0, size, &sum, 0, NULL, NULL);
		__atomic_fetch_add(&sum, size + (errno == 77 ? 0 : 1), __ATOMIC_RELAXED);
	}
}

static void *call_some(void *n)
{
	calls((int)(intptr_t)n);
	return NULL;
}

static void step(long long n)
{
	void (*call)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");

	if (call)
		call(n);
}

/* Waits for a line of whoever started us; asked for by a line of ours. */
static void wait_for_word(const char *what)
{
	char byte;

	printf("%s\n", what);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		;
}

static int few(void)
{
	calls(5000);
	return 0;
}

static int much(void)
{
	for (int i = 0; i < 80; i++) {
		calls(5000);
		usleep(2000);
	}
	return 0;
}

/* Two windows, a word in between. */
static int windows(void)
{
	step(1);
	calls(3000);
	step(2);
	calls(100);
	wait_for_word("between");
	step(3);
	calls(3000);
	step(4);
	calls(100);
	return 0;
}

/* The calls are made while the disk stands still, then the word is given, then a few more. */
static int while_stalled(void)
{
	calls(10);
	calls(100000);
	wait_for_word("called");
	calls(10);
	return 0;
}

static pthread_barrier_t barrier;
static FILE *threads_file; /* what each of them called */

static void *overflow_thread(void *number)
{
	uint64_t n = 40000 + 10000 * (uint64_t)(uintptr_t)number;

	state += (uintptr_t)number;
	calls((int)n);
	fprintf(threads_file, "%d %llu\n", (int)syscall(SYS_gettid), (unsigned long long)n);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* until the disk goes on: no ring is handed on before */
	return NULL;
}

static int overflow(void)
{
	pthread_t threads[4];

	threads_file = fopen("threads", "w");
	pthread_barrier_init(&barrier, NULL, 5);
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, overflow_thread, (void *)i);
	pthread_barrier_wait(&barrier);
	wait_for_word("called");
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return fclose(threads_file) ? 83 : 0;
}

/* ---- descriptors ---- */

static int taken[4096], taken_count;

static void take_all(void)
{
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 1024, 1024 });
	while (taken_count < 4096 && (taken[taken_count] = open("/dev/null", O_RDONLY)) >= 0)
		taken_count++;
}

static void give_back(void)
{
	while (taken_count)
		close(taken[--taken_count]);
}

static int no_descriptors(void)
{
	take_all();
	calls(5000);
	give_back();
	calls(5000);
	return 0;
}

/* The first window is in its file when the word is given; for those after it there is no descriptor to be had. */
static int no_descriptors_later(void)
{
	step(1);
	calls(3000);
	step(2);
	wait_for_word("written?");
	take_all();
	step(3);
	calls(3000);
	step(4);
	calls(100);
	step(5);
	calls(3000);
	step(6);
	return 0;
}

/* Every number is the program's own file now: not a byte may land in it, and none may be closed. */
static int own_all(void)
{
	struct stat st;
	int fd = open("victim", O_RDWR | O_CREAT | O_TRUNC, 0600), last = fd, lost = 0;

	for (int i = 0; i < 900; i++)
		last = dup(fd) > last ? last + 1 : last;
	for (int i = 0; i < 6; i++) {
		calls(9000);
		step(i + 10);
		usleep(30000);
	}
	for (int i = fd; i <= last; i++)
		lost += fcntl(i, F_GETFD) < 0;
	return fstat(fd, &st) || st.st_size ? 97 : lost ? 96
							: 0;
}

static int close_range_all(void)
{
	calls(500);
	usleep(50000);
	syscall(SYS_close_range, 3, ~0u, 0);
	return own_all();
}

/* Also standard error is a file of the program's own: a message is not worth a line in it. */
static int close_everything(void)
{
	struct stat st;
	int fd;

	calls(500);
	usleep(50000);
	closefrom(2);
	fd = open("victim2", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd != 2)
		return 95;
	for (int i = 0; i < 6; i++) {
		calls(9000);
		usleep(30000);
	}
	return fstat(fd, &st) || st.st_size ? 97 : 0;
}

/* A service that goes into the background, with every descriptor closed. */
static int into_background(void)
{
	int pipes[2];
	char status = 99;
	FILE *out;

	calls(500);
	if (pipe(pipes))
		return 94;
	if (!fork()) {
		int rc;

		if (daemon(1, 0))
			_exit(93);
		if (dup2(pipes[1], 3) != 3)
			_exit(92);
		syscall(SYS_close_range, 4, ~0u, 0);
		rc = own_all();
		status = (char)rc;
		out = fopen("sum", "w");
		fprintf(out, "%llu\n", (unsigned long long)sum);
		fclose(out);
		if (write(3, &status, 1) != 1)
			_exit(91);
		exit(rc);
	}
	close(pipes[1]);
	wait(NULL); /* the one that daemon() left */
	if (read(pipes[0], &status, 1) != 1)
		status = 90;
	/* Closed when the service is gone. */
	if (read(pipes[0], &(char){ 0 }, 1) != 0)
		status = 89;
	return status;
}

/* ---- memory ---- */

/* From here on no more address space than so many KiB. */
static void limit_memory(long kib)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	rlim_t limit;

	if (!f || fscanf(f, "%ld", &pages) != 1)
		exit(88);
	fclose(f);
	limit = (rlim_t)pages * 4096 + (rlim_t)kib * 1024;
	setrlimit(RLIMIT_AS, &(struct rlimit){ limit, limit });
}

/* Standard error is a pipe that nobody reads any more, and whatever is written there a death. */
static int broken_stderr(void)
{
	int pipes[2];

	if (pipe(pipes) || dup2(pipes[1], STDERR_FILENO) != STDERR_FILENO)
		return 84;
	close(pipes[0]);
	close(pipes[1]);
	calls(5000);
	return 0;
}

static int little_memory(void)
{
	limit_memory(600);
	calls(5000);
	return 0;
}

static int little_memory_later(void)
{
	calls(500);
	limit_memory(0);
	calls(5000);
	return 0;
}

static int eight_threads(void)
{
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, call_some, (void *)3000);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* A data loader as PyTorch's: sets a length, maps, writes; a full /dev/shm is its death by SIGBUS. */
static int load_data(int number, size_t size)
{
	char name[64];
	char *memory;
	int fd;

	snprintf(name, sizeof(name), "/dev/shm/loader.%d", number);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)size))
		return 87;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return 86;
	memset(memory, 1, size);
	return 0;
}

/* Four loaders take three quarters of /dev/shm beside our buffers, then eight threads call. */
static int loaders(void)
{
	int status, bad = 0;

	calls(500);
	for (int i = 0; i < 4; i++)
		if (!fork())
			_exit(load_data(i, 12u << 20));
	for (int i = 0; i < 4; i++)
		bad |= wait(&status) < 0 || status;
	return bad ? 85 : eight_threads();
}

/* In the middle somebody clears /dev/shm up: the word is given when he is done. */
static int cleaned(void)
{
	calls(3000);
	wait_for_word("called");
	for (int i = 0; i < 12; i++) {
		calls(5000);
		usleep(30000);
	}
	return 0;
}

static void *finish_thread(void *unused)
{
	FILE *f = fopen("hang.tid", "w");

	(void)unused;
	fprintf(f, "%d\n", (int)syscall(SYS_gettid));
	fclose(f);
	calls(100);
	clFinish(NULL);
	calls(100);
	return NULL;
}

static void *launch_thread(void *unused)
{
	FILE *f = fopen("hang.tid", "w");
	size_t size = 64;

	(void)unused;
	fprintf(f, "%d\n", (int)syscall(SYS_gettid));
	fclose(f);
	calls(100);
	clEnqueueNDRangeKernel(NULL, clCreateKernel(NULL, "stuck", NULL), 1, NULL, &size, NULL, 0, NULL, NULL);
	calls(100);
	return NULL;
}

static int hang_in(void *(*run)(void *))
{
	pthread_t thread;

	step(1);
	calls(100);
	step(2);
	calls(100);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	calls(100);
	return 0;
}

static int hang_in_finish(void)
{
	return hang_in(finish_thread);
}

static int hang_in_launch(void)
{
	return hang_in(launch_thread);
}

static int killed(void)
{
	step(1);
	calls(300);
	return kill(getpid(), SIGKILL);
}

static int left(void)
{
	calls(300);
	_exit(0);
}

static int steps_only(void)
{
	step(1);
	step(2);
	return 0;
}

/* Records, says so, and stays until it gets the word. */
static int waiting(void)
{
	calls(300);
	wait_for_word("called");
	return 0;
}

/* Not a call, but the library is there. */
static int silent(void)
{
	wait_for_word("silent");
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} cases[] = {
	{ "few", few },
	{ "much", much },
	{ "windows", windows },
	{ "stalled", while_stalled },
	{ "overflow", overflow },
	{ "nofile", no_descriptors },
	{ "nofile_later", no_descriptors_later },
	{ "close_range", close_range_all },
	{ "close_stderr", close_everything },
	{ "daemon", into_background },
	{ "stderr_broken", broken_stderr },
	{ "memory", little_memory },
	{ "memory_later", little_memory_later },
	{ "loaders", loaders },
	{ "threads", eight_threads },
	{ "cleaned", cleaned },
	{ "killed", killed },
	{ "left", left },
	{ "steps_only", steps_only },
	{ "waiting", waiting },
	{ "silent", silent },
	{ "hang_finish", hang_in_finish },
	{ "hang_launch", hang_in_launch },
};

/* store deny:NAMES CASE sets the filter first, so that the loader is spared. */
int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[argc - 1] : "";
	int rc = 98;

	if (argc > 2 && !strncmp(argv[1], "deny:", 5) && filter_deny(argv[1] + 5))
		return 77;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (!strcmp(cases[i].name, name))
			rc = cases[i].run();
	printf("%s: %llu\n", name, (unsigned long long)sum);
	return rc;
}
