/*
 * npu_marks.c - a program on CANN whose markers tell where it is. Each word is a move: start:TEXT begins a range, end ends the newest; mark:TEXT;
 * domain:NAME is where those behind it are made, domain: the default one, destroy ends it; left:TEXT begins a range that nobody ends;
 * signal:TEXT is a range in a signal handler, which is to take no memory (-DOWN_MALLOC); tried says how many expressions were tried since the
 * last one (-DOWN_REGEXEC); answered:TEXT marks by aclprofMarkEx; stream:1 gives them a stream, stream:0 none; N makes N calls; what stands between fork and join is a forked child's.
 */
#include "tests/lib/told_words.h"
#include <dlfcn.h>
#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mstxDomainCreateA(const char *name);
void mstxDomainDestroy(void *domain);
void mstxMarkA(const char *message, void *stream);
uint64_t mstxRangeStartA(const char *message, void *stream);
void mstxRangeEnd(uint64_t id);
void mstxDomainMarkA(void *domain, const char *message, void *stream);
uint64_t mstxDomainRangeStartA(void *domain, const char *message, void *stream);
void mstxDomainRangeEnd(void *domain, uint64_t id);
int aclprofMarkEx(const char *message, size_t length, void *stream);
int aclrtSynchronizeDevice(void);
int aclrtCreateStream(void **stream);

static void *domain, *stream, *made;
static struct {
	uint64_t id;
	void *domain;
} ranges[64];
static unsigned int open_ones;

static uint64_t begin(const char *text)
{
	return domain ? mstxDomainRangeStartA(domain, text, stream) : mstxRangeStartA(text, stream);
}

static void start(const char *text)
{
	ranges[open_ones].domain = domain;
	ranges[open_ones++].id = begin(text);
}

static void end(void)
{
	uint64_t id = ranges[--open_ones].id;

	if (ranges[open_ones].domain)
		mstxDomainRangeEnd(ranges[open_ones].domain, id);
	else
		mstxRangeEnd(id);
}

static void mark(const char *text)
{
	if (domain)
		mstxDomainMarkA(domain, text, stream);
	else
		mstxMarkA(text, stream);
}

static const char *signalled;
static volatile sig_atomic_t handles, taken;

static void handler(int number)
{
	(void)number;
	handles = 1;
	mstxRangeEnd(mstxRangeStartA(signalled, NULL));
	handles = 0;
}

static void handle(const char *text)
{
	signalled = text;
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	if (taken)
		printf("memory is taken in a signal handler\n");
}

#ifdef OWN_MALLOC
void *__libc_malloc(size_t size);

void *malloc(size_t size)
{
	taken += handles;
	return __libc_malloc(size);
}
#endif

static unsigned int tried;

#ifdef OWN_REGEXEC
int regexec(const regex_t *regex, const char *text, size_t groups, regmatch_t *found, int flags)
{
	int (*real)(const regex_t *, const char *, size_t, regmatch_t *, int) = dlsym(RTLD_NEXT, "regexec");

	tried++;
	return real(regex, text, groups, found, flags);
}
#endif

static void say_tried(void)
{
	printf("tried %u\n", tried);
	tried = 0;
}

static void calls(long times)
{
	while (times-- > 0)
		aclrtSynchronizeDevice();
}

static void move(char *word, int i)
{
	const char *text = strchr(word, ':') ? strchr(word, ':') + 1 : "";

	(void)i;
	errno = 77;
	if (!strncmp(word, "start:", 6))
		start(text);
	else if (!strncmp(word, "left:", 5))
		begin(text);
	else if (!strncmp(word, "signal:", 7))
		handle(text);
	else if (!strcmp(word, "tried"))
		say_tried();
	else if (!strcmp(word, "destroy"))
		mstxDomainDestroy(domain);
	else if (!strcmp(word, "end"))
		end();
	else if (!strncmp(word, "mark:", 5))
		mark(text);
	else if (!strncmp(word, "answered:", 9))
		aclprofMarkEx(text, strlen(text), stream);
	else if (!strncmp(word, "domain:", 7))
		domain = *text ? mstxDomainCreateA(text) : NULL;
	else if (!strncmp(word, "stream:", 7))
		stream = *text == '1' ? made : NULL;
	else
		calls(atol(word));
	if (errno != 77)
		printf("errno is %d behind %s\n", errno, word);
}

int main(int argc, char **argv)
{
	aclrtCreateStream(&made);
	return tell_words(argc, argv, move);
}
