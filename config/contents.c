#include "config/contents.h"
#include <stdio.h>
#include <string.h>
#include "config/base/refuse.h"
#include "config/base/words.h"

#define BETWEEN ", \t"

static const struct {
	const char *word;
	unsigned int bit;
} contents[] = {
	{ "cpu", CONTENT_CPU },
	{ "device", CONTENT_DEVICE },
	{ "memory", CONTENT_MEMORY },
	{ "shapes", CONTENT_SHAPES },
	{ "module", CONTENT_MODULE },
	{ "stack", CONTENT_STACK },
	{ "npu", CONTENT_DEVICE },
	{ "gpu", CONTENT_DEVICE },
};
#define CONTENTS_NAMED 6 /* the rest are other words for the same */
#define CONTENTS_ALL   (sizeof(contents) / sizeof(contents[0]))
#define CONTENTS_HELP  "write cpu, device, memory, shapes, module or stack"

const char *const contents_words[] = { "cpu", "device", "memory", "shapes", "module", "stack", NULL };

static unsigned int bit_of(const char *word, size_t length)
{
	for (unsigned int i = 0; i < CONTENTS_ALL; i++)
		if (strlen(contents[i].word) == length && !strncmp(contents[i].word, word, length))
			return contents[i].bit;
	return 0;
}

unsigned int contents_of(const char *text)
{
	unsigned int bits = 0;
	size_t length;

	for (text += strspn(text, BETWEEN); *text; text += strspn(text, BETWEEN)) {
		length = strcspn(text, BETWEEN);
		bits |= bit_of(text, length);
		text += length;
	}
	return bits;
}

int contents_read(const char *text, unsigned int *bits, char *why, size_t size)
{
	unsigned int all = 0, bit;
	int length;

	for (text += strspn(text, BETWEEN); *text; text += strspn(text, BETWEEN)) {
		length = strcspn(text, BETWEEN);
		bit = bit_of(text, length);
		if (!bit)
			return refuse(why, size, "'%.*s' is nothing to record: " CONTENTS_HELP, shown(length),
				      text);
		all |= bit;
		text += length;
	}
	if (!all)
		return refuse(why, size, "nothing to record: " CONTENTS_HELP);
	*bits = all;
	return 0;
}

void contents_text(unsigned int bits, char *text, size_t size)
{
	size_t used = 0;

	snprintf(text, size, "%s", "");
	for (unsigned int i = 0; i < CONTENTS_NAMED && used < size; i++)
		if (bits & contents[i].bit)
			used += snprintf(text + used, size - used, "%s%s", used ? "," : "", contents[i].word);
}
