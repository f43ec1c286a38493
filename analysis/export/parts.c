#include "analysis/export/parts.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

/* Names are put in and out whole; a place that is empty is used again. */
struct part {
	struct part *next;
	char *volatile path;
};
static struct part *volatile parts;

static void end_by_signal(int number)
{
	for (struct part *p = parts; p; p = p->next)
		if (p->path)
			unlink(p->path);
	signal(number, SIG_DFL);
	raise(number);
}

void parts_expect_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction was;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &was) && was.sa_handler == SIG_DFL)
			signal(numbers[i], end_by_signal);
	signal(SIGXFSZ, SIG_IGN); /* the write that fails tells */
}

void parts_note(char *path)
{
	struct part *p = parts;

	while (p && p->path)
		p = p->next;
	if (!p) {
		p = alloc_zero(1, sizeof(*p));
		p->next = parts;
		p->path = path;
		parts = p;
	}
	p->path = path;
}

void parts_forget(const char *path)
{
	for (struct part *p = parts; p; p = p->next)
		if (p->path == path)
			p->path = NULL;
}

void parts_forget_all(void)
{
	for (struct part *p = parts; p; p = p->next)
		p->path = NULL;
}
