/* tracks.h - the numbers of a file's tracks. */
#pragma once
#include "analysis/export/timeline/line_writer.h"
#include "analysis/util/table.h"

#define TRACK_MEMOS 64

struct tracks {
	struct table uuids; /* uint64_t, by process and thread of the time line */
	struct {
		uint64_t key, uuid; /* uuid 0: none */
	} memos[TRACK_MEMOS];
};

void tracks_begin(struct tracks *t);
void tracks_end(struct tracks *t);

/* Not 0. */
uint64_t tracks_uuid(struct tracks *t, const struct line_writer *w, uint32_t pid, uint32_t tid);
