/*
 * roads_step.c - a signal handler calls one vendor library after each instruction of calls to another.
 * usage: roads_step ONE TWO, whose clFlush answer 777 and 888
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*flush_fn)(void *);

static struct vendor {
	flush_fn flush;
	int answer;
} one, two, *in_handler;
static unsigned int steps, astray;

static void *symbol_or_die(const char *library, const char *name)
{
	void *h = dlopen(library, RTLD_NOW | RTLD_LOCAL), *f = h ? dlsym(h, name) : NULL;

	if (f)
		return f;
	fprintf(stderr, "%s\n", dlerror());
	exit(3);
}

static void on_step(int signal)
{
	(void)signal;
	steps++;
	astray += in_handler->flush(NULL) != in_handler->answer;
}

/* The processor stops after each instruction; not in handlers, for which the system switches that off. */
static void flush_in_steps(const struct vendor *v, struct vendor *other)
{
	int answer;

	in_handler = other;
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::
				 : "memory", "cc");
	answer = v->flush(NULL);
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::
				 : "memory", "cc");
	astray += answer != v->answer;
}

static unsigned long flushes(const char *library)
{
	return ((unsigned long (*)(const char *))symbol_or_die(library, "fake_calls"))("clFlush");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	one = (struct vendor){ (flush_fn)symbol_or_die(argv[1], "clFlush"), 777 };
	two = (struct vendor){ (flush_fn)symbol_or_die(argv[2], "clFlush"), 888 };
	one.flush(NULL);
	two.flush(NULL);
	signal(SIGTRAP, on_step);
	flush_in_steps(&one, &two);
	flush_in_steps(&two, &one);
	printf("%s, %u astray\n", steps > 150 ? "many steps" : "few steps", astray);
	printf("called %lu\n", flushes(argv[1]) + flushes(argv[2]));
	return 0;
}
