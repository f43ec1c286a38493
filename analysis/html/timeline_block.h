/*
 * timeline_block.h - the events of a page: JSON that says what there is, and one run of bytes with the slices, level by level, so that at
 * any zoom as many are drawn as can be seen. docs/html.md tells the format.
 */
#pragma once
#include "analysis/html/events.h"

/* Bytes of that JSON, about. */
size_t timeline_block_json_size(const struct events *e);

/* Of the first processes. Slices get coarser until all fits into so many bytes, if it can. */
void timeline_block_put(struct events *e, size_t processes, size_t most, struct out *json, struct bytes *bytes);
