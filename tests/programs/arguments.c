/*
 * arguments.c - calls every row with NULL and garbage in each of its places, and prints what came of it:
 * the result, errno, the status and whatever else was written, or the signal that ended the call.
 *
 * usage: arguments fake | real [FILE]. With a fake library, which survives everything, all is done in one
 * process and the library is asked what it was given. With a real one each row has a child, and another behind
 * each call that ended one; calls that FILE names, one a line as printed, are left out.
 */
#include "arguments.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define POISON 16ul /* an address that nothing is at */

/* ---- all the variants of a row ---- */

static void *edge; /* the last eight bytes before nothing */

/* Returns false behind the last. 0: all is good. */
static bool choose(const struct row *r, int number)
{
	const struct {
		const char *name;
		uintptr_t value[4];
	} bad[] = {
		{ "null", { 0, 0, 0, 0 } },
		{ "poison", { ~0ul, POISON, POISON, 0 } },
		{ "edge", { 100, (uintptr_t)edge, (uintptr_t)zones, 0 } },
		{ "huge", { 0x7fffffff, ~7ul, ~7ul, 0 } },
	};
	const int values = sizeof(bad) / sizeof(*bad);
	int n = number;

	variant.first_is_null = n >= (r->places + 1) * values;
	if (variant.first_is_null)
		n -= (r->places + 1) * values;
	if (n >= (variant.first_is_null ? r->places : r->places + 1) * values)
		return false;
	variant.place = n / values < r->places ? n / values : MOST;
	memcpy(variant.value, bad[n % values].value, sizeof(variant.value));
	variant.name = bad[n % values].name;
	return true;
}

typedef void (*any)(long, long, long, long, long, long, long, long, long, long, long, long, long, long);

static void name_variant(const struct row *r, char *out, size_t size)
{
	snprintf(out, size, "%s %d %s%s", r->name, variant.place, variant.name,
		 variant.first_is_null ? " behind a null" : "");
}

extern unsigned long fake_calls(const char *name) __attribute__((weak));
extern unsigned long fake_given(void) __attribute__((weak));

static void try(const struct row *r)
{
	unsigned long calls = fake_calls ? fake_calls(r->name) : 0;

	places = 0;
	memset(edge, 0, 8);
	shown[0] = '\0';
	((any)r->try)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	if (fake_calls)
		show(" called %lu with %lx", fake_calls(r->name) - calls, fake_given());
}

static void all_in_one_process(void)
{
	char name[256];

	for (size_t i = 0; i < row_count; i++) {
		for (int n = 0; choose(&rows[i], n); n++) {
			name_variant(&rows[i], name, sizeof(name));
			try(&rows[i]);
			printf("%s: %s\n", name, shown);
		}
		printf("called %s %lu\n", rows[i].name, fake_calls(rows[i].name));
	}
}

static char *left_out;

static bool is_left_out(const char *name)
{
	const char *at = left_out ? strstr(left_out, name) : NULL;

	return at && at[strlen(name)] == '\n' && (at == left_out || at[-1] == '\n');
}

/* In the child: variants from *n on. */
static void run_child(const struct row *r, volatile int *n)
{
	char line[4500], name[256];

	for (; choose(r, *n); ++*n) {
		name_variant(r, name, sizeof(name));
		if (is_left_out(name))
			continue;
		alarm(10);
		try(r);
		snprintf(line, sizeof(line), "%s: %s\n", name, shown);
		if (write(1, line, strlen(line)) < 0)
			_exit(9);
	}
	_exit(0);
}

static void with_children(const struct row *r, volatile int *n)
{
	char name[256];
	int status;

	for (*n = 0; choose(r, *n); ++*n) {
		if (!fork())
			run_child(r, n);
		wait(&status);
		if (!choose(r, *n))
			return;
		name_variant(r, name, sizeof(name));
		dprintf(1, "%s: signal %d\n", name, WTERMSIG(status));
	}
}

static void *pages(size_t at, size_t n)
{
	/* The same address in each run where it can be: the library is asked what it was given. */
	return mmap((void *)(0x7e9000000000ul + at), n * 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *all = calloc(1, 1 << 20);

	if (!f || !all || fread(all, 1, (1 << 20) - 1, f) == 0)
		exit(3);
	fclose(f);
	return all;
}

int main(int argc, char **argv)
{
	volatile int *progress = pages(0, 1);
	int rc;

	zones = pages(1 << 20, 4);
	edge = zones + 2 * 4096 - 8;
	mprotect(zones + 2 * 4096, 4096, PROT_NONE);
	if (argc > 1 && !strcmp(argv[1], "fake")) {
		fake_objects();
		find_extensions();
		setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
		all_in_one_process();
		return 0;
	}
	rc = real_objects();
	if (rc)
		return rc;
	left_out = argc > 2 ? read_file(argv[2]) : NULL;
	for (size_t i = 0; i < row_count; i++)
		with_children(&rows[i], progress);
	return 0;
}
