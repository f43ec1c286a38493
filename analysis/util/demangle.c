#include "analysis/util/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

#ifdef HAVE_DEMANGLER
/* libsupc++'s: tells the text in pieces, to whoever may have had enough: what refers to itself may grow without end. 0: it is a name of C++ */
int __gcclibcxx_demangle_callback(const char *mangled, void (*take)(const char *, size_t, void *), void *context);

#define LONGEST_NAME 4096
#define LONGEST_TEXT 16384

struct text {
	jmp_buf enough;
	size_t length;
	char text[LONGEST_TEXT];
};

static void take(const char *piece, size_t size, void *context)
{
	struct text *t = context;

	if (size > sizeof(t->text) - t->length)
		longjmp(t->enough, 1);
	memcpy(t->text + t->length, piece, size);
	t->length += size;
}

char *demangle(const char *name)
{
	struct text t;

	if (strncmp(name, "_Z", 2) || strlen(name) > LONGEST_NAME)
		return NULL;
	t.length = 0;
	if (setjmp(t.enough) || __gcclibcxx_demangle_callback(name, take, &t))
		return NULL;
	return alloc_text(t.text, t.length);
}
#else
char *demangle(const char *name)
{
	(void)name;
	return NULL;
}
#endif
