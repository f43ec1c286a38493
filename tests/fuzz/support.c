/* support.c - promises, files in memory, and a count of what is allocated. */
#include "tests/fuzz/fuzz.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_promise(bool kept, const char *sentence)
{
	if (kept)
		return;
	fprintf(stderr, "broken promise: %s\n", sentence);
	abort();
}

static int memory_file(void)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	fuzz_promise(fd >= 0, "this machine has memfd_create");
	return fd;
}

const char *fuzz_file(unsigned int number, const void *bytes, size_t size)
{
	static int fds[FUZZ_FILES];
	static char names[FUZZ_FILES][32];

	if (!fds[number])
		fds[number] = memory_file();
	snprintf(names[number], sizeof(names[number]), "/proc/self/fd/%d", fds[number]);
	fuzz_promise(!ftruncate(fds[number], 0) &&
			     pwrite(fds[number], bytes, size, 0) == (ssize_t)size,
		     "there is memory for a small file");
	return names[number];
}

/* ---- memory: the linker leads the calls of our own objects and of static libraries here ---- */

static size_t live, peak;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);

static void *count(void *p)
{
	if (p)
		live += malloc_usable_size(p);
	if (live > peak)
		peak = live;
	return p;
}

/* What libc itself allocated for us was not counted: never below zero. */
static void uncount(void *p)
{
	size_t size = p ? malloc_usable_size(p) : 0;

	live -= size < live ? size : live;
}

void *__wrap_malloc(size_t size)
{
	return count(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return count(__real_calloc(n, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	uncount(old);
	return count(__real_realloc(old, size));
}

void __wrap_free(void *p)
{
	uncount(p);
	__real_free(p);
}

void fuzz_memory_reset(void)
{
	live = peak = 0;
}

size_t fuzz_memory_peak(void)
{
	return peak;
}

/* ---- standard output ---- */

static int output = -1, before;

void fuzz_output_begin(void)
{
	if (output < 0)
		output = memory_file();
	fflush(stdout);
	before = dup(STDOUT_FILENO);
	fuzz_promise(before >= 0 && !ftruncate(output, 0) && !lseek(output, 0, SEEK_SET) &&
			     dup2(output, STDOUT_FILENO) >= 0,
		     "standard output can be kept");
}

char *fuzz_output_end(size_t *size)
{
	static char *text;
	static size_t capacity;

	fflush(stdout);
	*size = (size_t)lseek(output, 0, SEEK_END);
	if (*size >= capacity) {
		capacity = 2 * *size + 1;
		text = __real_realloc(text, capacity);
	}
	fuzz_promise(text && pread(output, text, *size, 0) == (ssize_t)*size,
		     "standard output reads back");
	text[*size] = '\0';
	dup2(before, STDOUT_FILENO);
	close(before);
	return text;
}

bool fuzz_one_line(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	return true;
}
