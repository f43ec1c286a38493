/* told_words.h - a program that does what its words say, one after the other. */
#pragma once
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Those from fork to join are a forked child's. Waits for the children. */
static inline int tell_words(int count, char **words, void (*tell)(char *word, int i))
{
	for (int i = 1; i < count; i++) {
		bool parent = !strcmp(words[i], "fork") && fork();

		while (parent && strcmp(words[i], "join"))
			i++;
		if (!strcmp(words[i], "join") && !parent)
			return 0;
		if (!parent && strcmp(words[i], "fork"))
			tell(words[i], i);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
