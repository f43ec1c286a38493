/* blocks.h - data in a page: JSON in which nothing can end its <script>, and bytes as base64. */
#pragma once
#include <stddef.h>

#include "analysis/util/out.h"

/* JSON that is one already. What HTML could take for its own stands only in strings, and becomes \u003c and so on there. */
void block_put_json(struct out *o, const char *json, size_t size);

/* What a text takes there at most, as a string. */
size_t block_text_size(const char *text, size_t length);

void block_put_base64(struct out *o, const unsigned char *bytes, size_t size);
