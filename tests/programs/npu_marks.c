/*
 * npu_marks.c - a program on CANN whose markers tell where it is. Each word is a move: start:TEXT begins a range, end ends the newest; mark:TEXT;
 * domain:NAME is where those behind it are made, domain: the default one; answered:TEXT marks by aclprofMarkEx; stream:1 gives them a stream,
 * stream:0 none; N makes N calls; what stands between fork and join is a forked child's.
 */
#include "tests/lib/told_words.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mstxDomainCreateA(const char *name);
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

static void start(const char *text)
{
	ranges[open_ones].domain = domain;
	ranges[open_ones++].id = domain ? mstxDomainRangeStartA(domain, text, stream) : mstxRangeStartA(text, stream);
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

static void calls(long times)
{
	while (times-- > 0)
		aclrtSynchronizeDevice();
}

static void move(char *word, int i)
{
	const char *text = strchr(word, ':') ? strchr(word, ':') + 1 : "";

	(void)i;
	if (!strncmp(word, "start:", 6))
		start(text);
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
}

int main(int argc, char **argv)
{
	aclrtCreateStream(&made);
	return tell_words(argc, argv, move);
}
