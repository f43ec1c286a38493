#include "analysis/export/perfetto/bytes.h"

#include <stdlib.h>

#include "analysis/util/alloc.h"
#include "config/base/printable.h"

void bytes_more(struct bytes *b, size_t size)
{
	while (b->capacity - b->used < size)
		b->capacity = b->capacity ? 2 * b->capacity : 256;
	b->data = alloc_grow(b->data, b->capacity, 1);
}

void bytes_text(struct bytes *b, uint32_t field, const char *text)
{
	char *shown = alloc_text(text, strlen(text)), *to = shown;

	for (size_t n; *text; text += n ? n : 1) {
		n = utf8_read(text, &(uint32_t){ 0 });
		if (!n || unprintable(text)) {
			*to++ = '?';
			continue;
		}
		memcpy(to, text, n);
		to += n;
	}
	bytes_piece(b, field, shown, (size_t)(to - shown));
	free(shown);
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}
