/* stacks.h - who asked for a call: frames of Python's functions, and of the libraries below. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/event.h"
#include "agent/format/trace_file.h"
#include "analysis/trace/code_lines.h"
#include "analysis/util/table.h"

/* A function of Python. */
struct code {
	char *name, *file;
	struct code_lines lines;
};

struct module {
	char *file;
	uint8_t *build_id;
	size_t build_id_size; /* 0: it has none */
	bool asked;	      /* whether the file is there, which has: */
	struct elf_symbols *symbols;
};

struct frame {
	union {
		uint64_t id;	       /* as the file has it, until stacks_finish() */
		struct code *code;     /* of Python; NULL: unknown */
		struct module *module; /* native; likewise */
	};
	uint64_t at; /* as in struct def_frame */
};

struct stack {
	enum stack_kind kind;
	bool truncated;	      /* there were more */
	uint32_t count;	      /* STACK_FRAMES at most */
	struct frame *frames; /* innermost first */
};

struct stack_tables {
	struct table stacks; /* struct stack */
	struct table codes;  /* struct code */
	struct table modules;
};

void stacks_init(struct stack_tables *t);

/* A definition each; what is no more than a part of it is left out. */
void stacks_take_stack(struct stack_tables *t, uint64_t id, const uint8_t *body, size_t size);
void stacks_take_code(struct stack_tables *t, uint64_t id, const uint8_t *body, size_t size);
void stacks_take_module(struct stack_tables *t, uint64_t id, const uint8_t *body, size_t size);

/* Call when all are in: frames lead to code and modules then. */
void stacks_finish(struct stack_tables *t);
void stacks_free(struct stack_tables *t);

/* NULL: there is none of this kind. */
const struct stack *stacks_find(const struct stack_tables *t, uint64_t id, enum stack_kind kind);

/* The line that a frame of Python was at; 0: not known. */
uint32_t frame_line(const struct frame *f);

/* The function that a native frame was in, where its module's file is on this machine; NULL: not known. */
const char *frame_symbol(const struct frame *f);

/* Of a path as much as is to be shown: all, or, with --strip-paths, the file and the folder that it is in. size: of the path in the text. */
extern bool stacks_strip_paths;
const char *stacks_path(const char *path, size_t size);
