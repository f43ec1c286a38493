/*
 * start.c - stands where a program for aarch64 was made, which lies beside it as NAME.aarch64, and runs it under qemu-user: so tests, and
 * programs that start others, need not know. Static, for LD_PRELOAD and LD_LIBRARY_PATH are the program's, and not this one's or qemu's.
 *
 *   QEMU         qemu-aarch64
 *   QEMU_LD_PREFIX  as qemu knows it: where the program's own libraries are
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS 12 /* ours, at most */

/* Hands NAME=value on by -E; where it is not set, not to the program either. Returns how many words that took. */
static int hand_on(const char *name, char **words)
{
	const char *value = getenv(name);
	char *set;

	if (!value || asprintf(&set, "%s=%s", name, value) < 0)
		return 0;
	unsetenv(name);
	words[0] = "-E";
	words[1] = set;
	return 2;
}

int main(int count, char **arguments)
{
	static char program[PATH_MAX + 16];
	char *qemu = getenv("QEMU") ? getenv("QEMU") : "qemu-aarch64", **words = calloc((size_t)count + WORDS, sizeof(*words));
	ssize_t length = readlink("/proc/self/exe", program, PATH_MAX);
	int n = 0;

	if (length < 0 || !words)
		return 127;
	strcpy(program + length, ".aarch64");
	words[n++] = qemu;
	words[n++] = "-0";
	words[n++] = arguments[0];
	n += hand_on("LD_PRELOAD", words + n);
	n += hand_on("LD_LIBRARY_PATH", words + n);
	words[n++] = program;
	memcpy(words + n, arguments + 1, (size_t)count * sizeof(*words));
	execvp(qemu, words);
	perror(qemu);
	return 127;
}
