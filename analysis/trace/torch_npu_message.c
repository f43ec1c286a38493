#include "analysis/trace/torch_npu_message.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/util/json_reader.h"

static void take(void *context, const struct json_leaf *leaf)
{
	struct communication *c = context;
	const struct {
		const char *key, **text;
		int64_t *number;
	} members[] = {
		{ "opName", &c->op, NULL },
		{ "groupName", &c->group, NULL },
		{ "dataType", &c->type, NULL },
		{ "count", NULL, &c->count },
		{ "streamId", NULL, &c->stream },
		{ "srcRank", NULL, &c->source },
		{ "destRank", NULL, &c->destination },
	};

	for (size_t i = 0; leaf->depth == 1 && leaf->text && i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(leaf->path[0], members[i].key))
			continue;
		if (members[i].number)
			*members[i].number = strtoll(leaf->text, NULL, 10);
		else if (leaf->text >= c->buffer && leaf->text < c->buffer + c->size) /* not a number or word */
			*members[i].text = leaf->text;
	}
}

static char *without_backslashes(const char *text)
{
	char *copy = alloc_text(text, strlen(text)), *to = copy;

	for (; *text; text++)
		if (*text != '\\')
			*to++ = *text;
	*to = '\0';
	return copy;
}

struct communication *communication_read(const char *message)
{
	struct communication *c;

	if (!message || *message != '{')
		return NULL;
	c = alloc_zero(1, sizeof(*c));
	*c = (struct communication){ .buffer = without_backslashes(message), .count = -1, .stream = -1, .source = -1, .destination = -1 };
	c->size = strlen(c->buffer);
	if (!json_read(c->buffer, take, c) && c->op)
		return c;
	communication_free(c);
	return NULL;
}

void communication_free(struct communication *c)
{
	if (!c)
		return;
	free(c->buffer);
	free(c);
}
