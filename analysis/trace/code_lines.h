/* code_lines.h - which line of its file an instruction of a function of Python is of. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/trace_file.h"

/* A table of lines as it stands in a file: whoever made it is not believed. */
struct code_lines {
	enum line_table form;
	bool cut; /* the table goes on */
	uint32_t first_line;
	size_t size;
	uint8_t *table;
	size_t mark_count, mark_capacity;
	struct line_mark *marks; /* from where to read: one each so many entries, made when a line is first asked for */
};

/* Of the instruction at this byte of the code; 0: not known, or it has none. */
uint32_t code_lines_find(struct code_lines *l, uint64_t at);
void code_lines_free(struct code_lines *l);
