/* shell_words.h - the commands in a line of a shell's, taken apart: for looking at, not for running. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define SHELL_BYTES (64 << 10)
#define SHELL_WORDS 4096

struct shell_words {
	char text[SHELL_BYTES];
	char *words[SHELL_WORDS + 1]; /* of each command, a NULL behind; at the end two */
	size_t count;
};

/*
 * Quotation marks and backslashes are gone, comments too; ; & | ( ) and ends of lines end a command. What $ and ` stand for is not looked
 * into. False: it is too long.
 */
bool shell_words(struct shell_words *s, const char *line);

/* The first word of the line's first command, or of the one behind that with this word; NULL: there is none. */
char *const *shell_words_next(const struct shell_words *s, char *const *before);
