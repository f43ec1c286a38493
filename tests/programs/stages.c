/*
 * stages.c - a trainer that tells where it is. Each word is a move: step:N; begin:ROLE, end (the newest stage), end:I (the I-th that
 * was begun, from 0); mini, mini-end, micro, micro-end; N makes N calls; thread:N makes them on another thread, thread-begin:ROLE
 * begins there; wait says `here` and waits for a line; rank:N and port:N set the variables RANK and MASTER_PORT; what stands between
 * fork and join is a forked child's.
 */
#include "agent/ranktrace.h"
#include "tests/lib/told_words.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int clFinish(void *queue);

static uint64_t stages[256];
static unsigned int begun, newest[256], open_ones;

static void begin(const char *role)
{
	stages[begun] = ranktrace_begin_stage(role);
	newest[open_ones++] = begun++;
}

static void call(long times)
{
	while (times-- > 0)
		clFinish(NULL);
}

/* Whoever started us knows that we are here, and says when to go on. */
static void wait_for_line(void)
{
	puts("here");
	fflush(stdout);
	getchar();
}

static bool told(const char *word)
{
	if (!strncmp(word, "step:", 5))
		ranktrace_begin_step(atoll(word + 5));
	else if (!strncmp(word, "begin:", 6))
		begin(word + 6);
	else if (!strncmp(word, "rank:", 5))
		setenv("RANK", word + 5, 1);
	else if (!strncmp(word, "port:", 5))
		setenv("MASTER_PORT", word + 5, 1);
	else if (!strcmp(word, "wait"))
		wait_for_line();
	else if (!strcmp(word, "end"))
		ranktrace_end_stage(stages[newest[--open_ones]]);
	else if (!strncmp(word, "end:", 4))
		ranktrace_end_stage(stages[atoi(word + 4)]);
	else if (!strcmp(word, "mini"))
		ranktrace_begin_mini();
	else if (!strcmp(word, "mini-end"))
		ranktrace_end_mini();
	else if (!strcmp(word, "micro"))
		ranktrace_begin_micro();
	else if (!strcmp(word, "micro-end"))
		ranktrace_end_micro();
	else
		return false;
	return true;
}

static void *elsewhere(void *word)
{
	const char *text = word;

	if (!strncmp(text, "begin:", 6))
		begin(text + 6);
	else
		call(atol(text));
	return NULL;
}

static void on_a_thread(char *word)
{
	pthread_t thread;

	pthread_create(&thread, NULL, elsewhere, word);
	pthread_join(thread, NULL);
}

static void move(char *word, int i)
{
	(void)i;
	if (!strncmp(word, "thread:", 7))
		on_a_thread(word + 7);
	else if (!strncmp(word, "thread-", 7))
		on_a_thread(word + 7);
	else if (!told(word))
		call(atol(word));
}

int main(int argc, char **argv)
{
	return tell_words(argc, argv, move);
}
