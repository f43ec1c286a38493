/*
 * many WHAT N - more of something than there is room for; prints what the trace should tell, or what went wrong.
 * steps: N steps of one launch each; sparse_steps: N steps with a copy in each tenth; sizes: N sizes of launches, 100 in a step;
 * sizes_at_once: all N in step 1, and another kernel's launch in step 3; names: N kernels whose names are long, each with a page
 * of the program's beside it that must stay empty; markers: N markers whose text is long
 */
#include "tests/helpers/kill/fake_opencl.h"
#include "tests/lib/steps.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#define PAGES 65536 /* bytes */

static void launch(void *kernel, size_t size)
{
	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static void steps(long n)
{
	void *kernel = clCreateKernel(NULL, "kernel", NULL);

	for (long i = 1; i <= n; i++) {
		step(i);
		launch(kernel, 64);
	}
	printf("%ld launches, %ld steps\n", n, n);
}

static void sparse_steps(long n)
{
	static char from[1];

	for (long i = 1; i <= n; i++) {
		step(i);
		if (i % 10 == 0)
			clEnqueueWriteBuffer(NULL, NULL, 0, 0, (size_t)i, from, 0, NULL, NULL);
	}
	printf("%ld copies, %ld steps\n", n / 10, n);
}

static void sizes(long n)
{
	void *kernel = clCreateKernel(NULL, "kernel", NULL);

	for (long i = 0; i < n; i++) {
		if (i % 100 == 0)
			step(i / 100 + 1);
		launch(kernel, (size_t)i + 1);
	}
	printf("%ld launches, %ld sizes\n", n, n);
}

static void sizes_at_once(long n)
{
	void *first = clCreateKernel(NULL, "first", NULL), *second = clCreateKernel(NULL, "second", NULL);

	step(1);
	for (long i = 1; i <= n; i++)
		launch(first, (size_t)i);
	step(2);
	step(3);
	launch(second, 7);
	step(4);
	printf("%ld launches, %ld sizes\n", n + 1, n);
}

static char *long_text(long i)
{
	static const size_t lengths[] = { 59999, 60000, 60001, 65535, 65536, 82100, 1000000 };
	size_t length = lengths[i % (long)(sizeof(lengths) / sizeof(*lengths))];
	char *text = malloc(length + 1);

	memset(text, 'N', length);
	text[length] = '\0';
	snprintf(text, 24, "%ld", i);
	text[strlen(text)] = '_';
	return text;
}

/* Mapped right before the name is kept: what is written behind the end of something of the agent's is written here. */
static unsigned char *neighbour(void)
{
	return mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void names(long n)
{
	unsigned char **neighbours = calloc((size_t)n, sizeof(*neighbours));
	long written = 0;

	step(1);
	for (long i = 0; i < n; i++) {
		char *name = long_text(i);

		neighbours[i] = neighbour();
		launch(clCreateKernel(NULL, name, NULL), 64);
		free(name);
	}
	for (long i = 0; i < n; i++)
		for (size_t k = 0; k < PAGES; k++)
			written += neighbours[i][k] != 0;
	printf("%ld launches, %ld bytes of the program's written\n", n, written);
}

static void markers(long n)
{
	void *library = dlopen("libms_tools_ext.so", RTLD_NOW);
	void (*mark)(const char *, void *) = (void (*)(const char *, void *))dlsym(library ? library : RTLD_DEFAULT, "mstxMarkA");
	void *kernel = clCreateKernel(NULL, "kernel", NULL);

	step(1);
	for (long i = 0; i < n; i++) {
		char *text = long_text(i);

		if (mark)
			mark(text, NULL);
		launch(kernel, 64);
		free(text);
	}
	printf("%ld launches, %ld markers\n", n, mark ? n : 0);
}

static void *optimizer;

static void on_alarm(int unused)
{
	(void)unused;
	launch(optimizer, 64);
}

/* A signal's handler launches, too, more often than a lock is waited for. */
static void handler(long n)
{
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { 0 };

	optimizer = clCreateKernel(NULL, "adam_step", NULL);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (long i = 0; i < n; i++)
		launch(optimizer, 64);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld launches\n", n);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(long n);
	} cases[] = {
		{ "steps", steps },
		{ "sparse_steps", sparse_steps },
		{ "sizes", sizes },
		{ "sizes_at_once", sizes_at_once },
		{ "names", names },
		{ "markers", markers },
		{ "handler", handler },
	};

	for (size_t i = 0; argc > 2 && i < sizeof(cases) / sizeof(*cases); i++)
		if (!strcmp(argv[1], cases[i].name))
			cases[i].run(atol(argv[2]));
	return 0;
}
