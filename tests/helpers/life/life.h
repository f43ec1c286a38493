/*
 * life.h - what every fault case starts with.
 *
 * A case is one place: LIFE(word, sentence, options) and its body. e2e_life.sh runs it without and
 * with the agent; sentence is the test's name. Options, separated by blanks:
 *   before=LIB after=LIB  libraries preloaded in front of or behind the agent, in both runs
 *   env=NAME=VALUE        added to the environment of both runs
 *   killed                its end is SIGKILL, which is no time-out
 *   dump=WORD             what holds for the dump as well: see dump_check.py
 *   numbers               addresses in its output differ from run to run
 *   says                  the agent may say lines on stderr
 *   not=SANITIZER         left out under this sanitizer, or under qemu-user (qemu): the body says why
 *   elsewhere             run by another script than e2e_life.sh
 *   may=WHAT:N            as life_may(), for a program that cannot say it
 * A status of 78 to 99 says that the case failed. What may be lost is said by the case itself, with life_may().
 */
#pragma once
#include "fake_opencl.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct life_case {
	_Alignas(32) const char *word;
	const char *sentence, *options;
	int (*run)(void);
};

#define LIFE(word, sentence, options)                                                        \
	static int life_##word(void);                                                        \
	static const struct life_case case_##word __attribute__((section("life"), used)) = { \
		#word, #sentence, options, life_##word                                       \
	};                                                                                   \
	static int life_##word(void)

extern const char *life_self; /* argv[0] */

/* n launches; ends the program if errno is touched. */
void life_calls(int n);

/*
 * Tells the judge (compare.py) what this case cannot hold exactly, all processes together:
 *   drop N       up to N calls may be dropped
 *   fly N        up to N calls may be in flight
 *   shut N       calls after the gate shut for good are not counted; N were made before
 *   cut N        up to N calls were entered, and ended before they reached the vendor
 *   inner N      N calls are the runtime's own, made inside others: no calls of the program's
 *   absent PID   this process has no trace
 *   together     a child used its parent's memory: its calls are in the parent's trace
 */
void life_may(const char *what, long n);

void life_pause(int milliseconds);
int life_wait(pid_t child);    /* its exit status */
void life_exec_self(void);     /* becomes `life plain` */
void *life_call_some(void *n); /* a thread that makes n calls */
void *life_call_until_over(void *unused);
extern _Atomic int life_over;
void life_start(pthread_t *threads, int n, void *(*run)(void *), void *argument);
void life_join(const pthread_t *threads, int n);
void *life_library(const char *name); /* dlopen()ed from the folder of the program */
