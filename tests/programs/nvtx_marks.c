/* nvtx_marks.c - rounds of every call of NVTX, by two copies of it. Prints what they answer with the word `answers`, and what changed errno. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/programs/nvtx_copy.h"

static int answers;

#define TOLD(number)                                                    \
	do {                                                            \
		int told_is = (int)(number);                            \
		if (answers)                                            \
			printf("%s: %d\n", #number, told_is);           \
		if (errno != 77)                                        \
			printf("errno after %s: %d\n", #number, errno); \
	} while (0)

static nvtxEventAttributes_t *attributes(int type)
{
	static __thread nvtxEventAttributes_t a;

	memset(&a, 0, sizeof(a));
	a.version = NVTX_VERSION;
	a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	a.messageType = type;
	return &a;
}

static nvtxEventAttributes_t *plain(const char *text)
{
	nvtxEventAttributes_t *a = attributes(NVTX_MESSAGE_TYPE_ASCII);

	a->message.ascii = text;
	return a;
}

static nvtxEventAttributes_t *wide(const wchar_t *text)
{
	nvtxEventAttributes_t *a = attributes(NVTX_MESSAGE_TYPE_UNICODE);

	a->message.unicode = text;
	return a;
}

static nvtxEventAttributes_t *registered(nvtxStringHandle_t string)
{
	nvtxEventAttributes_t *a = attributes(NVTX_MESSAGE_TYPE_REGISTERED);

	a->message.registered = string;
	return a;
}

static nvtxDomainHandle_t mine, yours;
static nvtxStringHandle_t text, broad;

static void *in_a_thread(void *unused)
{
	(void)unused;
	one.push("of a thread");
	two.domain_push(mine, plain("of a thread"));
	two.domain_pop(mine);
	one.pop();
	return NULL;
}

static void threads(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, in_a_thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	errno = 77;
}

static void marks(void)
{
	one.mark("mark");
	two.wide_mark(L"gr\u00f6\u00dfe \U0001f40c");
	one.mark_ex(plain("mark with attributes"));
	two.domain_mark(yours, wide(L"\u4e2d"));
	one.domain_mark(NULL, registered(text));
	two.mark_ex(attributes(NVTX_MESSAGE_UNKNOWN));
	one.mark(NULL);
	two.mark_ex(NULL);
}

static void nested(void)
{
	TOLD(one.push("outer"));
	TOLD(two.wide_push(L"inner"));
	TOLD(two.domain_push(mine, registered(text)));
	TOLD(one.push_ex(registered(broad)));
	TOLD(one.domain_push(mine, plain("second")));
	TOLD(one.pop());
	TOLD(one.domain_pop(mine));
	TOLD(two.pop());
	TOLD(two.domain_pop(mine));
	TOLD(one.pop());
	TOLD(one.domain_pop(yours));
}

static void started(void)
{
	nvtxRangeId_t a = one.start("a"), b = two.wide_start(L"b"), c = one.start_ex(plain("c"));
	nvtxRangeId_t d = two.domain_start(yours, registered(text));

	TOLD(a && b && c && d && a != b && a != c && a != d && b != c && b != d && c != d);
	one.end(b); /* by the other copy */
	two.end(a);
	one.end(c);
	two.domain_end(yours, d);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	answers = argc > 2;
	mine = one.domain("mine");
	yours = two.wide_domain(L"yours");
	text = one.string(mine, "registered");
	errno = 77; /* a copy's first call looks for files */
	broad = two.wide_string(NULL, L"\u00e9tape");
	TOLD(mine == two.domain("mine") && mine != yours);
	for (int i = 0; i < rounds; i++) {
		TOLD(one.push("step"));
		marks();
		nested();
		started();
		threads();
		TOLD(one.pop());
	}
	TOLD(one.pop());
	one.destroy(mine);
	two.domain_mark(yours, plain("last"));
	puts("done");
	return 0;
}
