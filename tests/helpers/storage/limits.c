/* limits.c - descriptors that are all taken, closed or others' now; memory and a /dev/shm that are short. */
#include "limits.h"
#include "calls.h"
#include "tests/lib/traced_file.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
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

/* The word is given when the file is open, or could not be opened. */
int no_descriptors(void)
{
	take_all();
	calls(5000);
	wait_for_word("taken");
	give_back();
	calls(5000);
	return 0;
}

/* No table of descriptors may have one more. */
int no_descriptors_at_all(void)
{
	calls(10);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, 0 });
	step(1);
	calls(3000);
	step(2);
	return 0;
}

/* The first window is in its file when the word is given; after it the program has every descriptor. */
int no_descriptors_later(void)
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

int close_range_all(void)
{
	calls(500);
	wait_for_word("recording");
	syscall(SYS_close_range, 3, ~0u, 0);
	return own_all();
}

/* Also standard error is a file of the program's own: a message is not worth a line in it. */
int close_everything(void)
{
	struct stat st;
	int fd;

	calls(500);
	closefrom(2);
	fd = open("victim2", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd != 2)
		return 95;
	step(2);
	for (int i = 0; i < 6; i++) {
		calls(9000);
		usleep(30000);
	}
	return fstat(fd, &st) || st.st_size ? 97 : 0;
}

/* A service that goes into the background, with every descriptor closed. */
int into_background(void)
{
	int pipes[2];
	char status = 99;
	FILE *out;

	calls(500);
	wait_for_word("recording");
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

/* ---- sizes of files ---- */

/* The trace has grown, and rests, when no file may be larger than `limit`, or than it is itself and `more`. */
static int small_files(rlim_t limit, rlim_t more)
{
	off_t size = 0, before;

	calls(20000); /* more than half a ring */
	do {
		before = size;
		usleep(10000);
		size = traced_size();
	} while (size != before || (size <= 4096 && getenv("LD_PRELOAD")));
	if (more)
		limit = (rlim_t)size + more;
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ limit, limit });
	for (int i = 0; i < 6; i++) {
		calls(9000);
		usleep(30000);
	}
	return 0;
}

int files_cut(void)
{
	return small_files(0, 1000);
}

int files_too_large(void)
{
	return small_files(4096, 0);
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
int broken_stderr(void)
{
	int pipes[2];

	if (pipe(pipes) || dup2(pipes[1], STDERR_FILENO) != STDERR_FILENO)
		return 84;
	close(pipes[0]);
	close(pipes[1]);
	calls(5000);
	return 0;
}

int little_memory(void)
{
	limit_memory(600);
	calls(5000);
	return 0;
}

static _Atomic size_t largest_private = SIZE_MAX;

/* As the limit on data does, which no stack, no file and no memory that others share counts to. */
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	if ((flags & MAP_ANONYMOUS) && (flags & MAP_PRIVATE) && size > atomic_load(&largest_private)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset); /* NOLINT(performance-no-int-to-ptr) */
}

/* What the flush thread takes when it starts is refused. */
int no_data(void)
{
	atomic_store(&largest_private, 2 << 20);
	step(1);
	setrlimit(RLIMIT_DATA, &(struct rlimit){ 0, 0 });
	calls(5000);
	return 0;
}

int little_memory_later(void)
{
	calls(500);
	limit_memory(0);
	calls(5000);
	return 0;
}

static pthread_barrier_t all_called;

static void *call_beside_others(void *unused)
{
	calls(3000);
	pthread_barrier_wait(&all_called); /* none hands its buffer on to another */
	return unused;
}

static int threads_at_once(int n)
{
	pthread_t threads[64];

	pthread_barrier_init(&all_called, NULL, (unsigned int)n);
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, call_beside_others, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int eight_threads(void)
{
	return threads_at_once(8);
}

/* More threads than the least shm_size has buffers for: the word is given when all have called. */
int crowd(void)
{
	int bad = eight_threads();

	wait_for_word("called");
	return bad;
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

/* Sixteen threads want a MiB each, then four loaders take 54 of the 64 MiB of /dev/shm: we were to leave them. */
int loaders(void)
{
	int status, bad = threads_at_once(16);

	for (int i = 0; i < 4; i++)
		if (!fork())
			_exit(load_data(i, 27u << 19));
	for (int i = 0; i < 4; i++)
		bad |= wait(&status) < 0 || status;
	return bad ? 85 : eight_threads();
}
