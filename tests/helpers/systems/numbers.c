/*
 * numbers CASE OPENINGS - a program that knows which number each of its files has, while the agent opens files of its own:
 * so many windows, each a new one. Prints what went wrong; nothing is the program's to lose.
 */
#include "tests/helpers/kill/fake_opencl.h"
#include "tests/lib/steps.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	4096
#define PAGES	4
#define THREADS 30

static int file; /* of PAGES, far from the numbers that are looked at */
static long wrong;

static void launch(void)
{
	static char kernel[] = "numbers";
	static const size_t size = 64;

	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static void make_file(void)
{
	char page[PAGE];
	int fd = open("numbers_file", O_RDWR | O_CREAT | O_TRUNC, 0600);

	file = fcntl(fd, F_DUPFD, 100);
	close(fd);
	memset(page, 'x', sizeof(page));
	for (int i = 0; i < PAGES; i++)
		wrong += write(file, page, sizeof(page)) != sizeof(page);
}

static void look_at_file(void)
{
	char page[PAGE];
	struct stat st;

	wrong += fstat(file, &st) || st.st_size != (off_t)PAGE * PAGES;
	for (int i = 0; i < PAGES; i++) {
		wrong += pread(file, page, sizeof(page), (off_t)PAGE * i) != sizeof(page);
		for (int k = 0; k < PAGE; k++)
			wrong += page[k] != 'x';
	}
}

/* As a shell's `exec 3<>file` does. */
static void use_number_3(void)
{
	char byte;

	dup2(file, 3);
	for (int i = 0; i < 3; i++)
		wrong += pread(3, &byte, 1, 0) != 1;
	close(3);
}

/* As daemons and shells redirect: the lowest free number is the one that was just closed. */
static void redirect(void)
{
	int fd;

	close(0);
	fd = open("/dev/null", O_RDONLY);
	wrong += fd != 0;
	fd = open("numbers_file", O_RDONLY);
	wrong += fd < 0 || close(fd);
}

/* Windows come and go while the numbers are in use. */
static void in_windows(long openings, void (*use)(void))
{
	for (int64_t n = 1; n <= 2 * openings; n++) {
		step(n);
		launch();
		for (int i = 0; i < 20; i++)
			use();
	}
}

/* The agent's thread begins with the first window, and makes its buffers: so many processes. */
static void at_first_window(long openings)
{
	int status;

	for (long n = 0; n < openings; n++) {
		if (!fork()) {
			wrong = 0;
			launch();
			step(1);
			for (int i = 0; i < 2000; i++)
				use_number_3();
			step(2);
			launch();
			look_at_file();
			exit(wrong != 0);
		}
		wait(&status);
		wrong += status != 0;
	}
}

static atomic_int called;
static atomic_bool all_called;

static void *call_once(void *unused)
{
	launch();
	atomic_fetch_add(&called, 1);
	while (!atomic_load(&all_called))
		usleep(500);
	return unused;
}

/* Threads make their first calls, and buffers are made for them: so many threads. */
static void beside_threads(long openings)
{
	pthread_t threads[THREADS];
	int some;

	step(2);
	for (; openings; openings -= some) {
		some = openings < THREADS ? (int)openings : THREADS;
		atomic_store(&called, 0);
		atomic_store(&all_called, false);
		for (int i = 0; i < some; i++)
			pthread_create(&threads[i], NULL, call_once, NULL);
		while (atomic_load(&called) < some)
			use_number_3();
		atomic_store(&all_called, true);
		for (int i = 0; i < some; i++)
			pthread_join(threads[i], NULL);
	}
}

int main(int argc, char **argv)
{
	const char *name = argc > 2 ? argv[1] : "";
	long openings = argc > 2 ? atol(argv[2]) : 0;

	make_file();
	if (!strcmp(name, "use"))
		in_windows(openings, use_number_3);
	else if (!strcmp(name, "redirect"))
		in_windows(openings, redirect);
	else if (!strcmp(name, "first"))
		at_first_window(openings);
	else if (!strcmp(name, "threads"))
		beside_threads(openings);
	else
		return 2;
	look_at_file();
	printf("%ld wrong\n", wrong);
	return wrong != 0;
}
