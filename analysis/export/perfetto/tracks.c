#include "analysis/export/perfetto/tracks.h"

void tracks_begin(struct tracks *t)
{
	*t = (struct tracks){ .uuids = TABLE(uint64_t) };
}

void tracks_end(struct tracks *t)
{
	table_free(&t->uuids);
}

/* Small numbers are short; those of processes that others write to the file are others. */
static uint64_t find(struct tracks *t, const struct line_writer *w, uint64_t key)
{
	uint64_t *uuid = table_put(&t->uuids, key);

	if (!*uuid)
		*uuid = (uint64_t)(t->uuids.count - 1) * w->processes + w->number + 1;
	t->memos[key % TRACK_MEMOS].key = key;
	return t->memos[key % TRACK_MEMOS].uuid = *uuid;
}

uint64_t tracks_uuid(struct tracks *t, const struct line_writer *w, uint32_t pid, uint32_t tid)
{
	uint64_t key = (uint64_t)pid << 32 | tid;
	size_t i = key % TRACK_MEMOS;

	return t->memos[i].key == key && t->memos[i].uuid ? t->memos[i].uuid : find(t, w, key);
}
