#include "analysis/trace/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/util/elf_symbols.h"

void stacks_init(struct stack_tables *t)
{
	t->stacks = TABLE(struct stack);
	t->codes = TABLE(struct code);
	t->modules = TABLE(struct module);
}

static size_t less(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* What is left of a definition's bytes. */
struct rest {
	const uint8_t *bytes;
	size_t size;
};

static const uint8_t *rest_take(struct rest *r, size_t *size)
{
	const uint8_t *at = r->bytes;

	*size = less(*size, r->size);
	r->bytes += *size;
	r->size -= *size;
	return at;
}

static void take_text(char **text, struct rest *r, size_t size)
{
	const uint8_t *bytes = rest_take(r, &size);

	free(*text);
	*text = alloc_text(bytes, size);
}

static void take_bytes(uint8_t **copy, size_t *kept, struct rest *r, size_t size)
{
	const uint8_t *bytes = rest_take(r, &size);

	free(*copy);
	*copy = memcpy(alloc_zero(size + 1, 1), bytes, size);
	*kept = size;
}

void stacks_take_stack(struct stack_tables *t, uint64_t id, const uint8_t *body, size_t size)
{
	struct def_stack def;
	struct stack *s;

	if (size < sizeof(def))
		return;
	memcpy(&def, body, sizeof(def));
	s = table_put(&t->stacks, id);
	s->kind = def.kind == STACK_NATIVE ? STACK_NATIVE : STACK_PYTHON;
	s->count = (uint32_t)less(less(def.frames, STACK_FRAMES), (size - sizeof(def)) / sizeof(struct def_frame));
	s->truncated = def.truncated || s->count < def.frames;
	free(s->frames);
	s->frames = alloc_zero(s->count + 1, sizeof(*s->frames));
	for (uint32_t i = 0; i < s->count; i++) {
		struct def_frame frame;

		memcpy(&frame, body + sizeof(def) + i * sizeof(frame), sizeof(frame));
		s->frames[i].id = frame.of;
		s->frames[i].at = frame.at;
	}
}

void stacks_take_code(struct stack_tables *t, uint64_t id, const uint8_t *body, size_t size)
{
	struct def_code def;
	struct rest rest;
	struct code *c;

	if (size < sizeof(def))
		return;
	memcpy(&def, body, sizeof(def));
	rest = (struct rest){ body + sizeof(def), size - sizeof(def) };
	c = table_put(&t->codes, id);
	take_text(&c->name, &rest, def.name);
	take_text(&c->file, &rest, def.file);
	c->lines.form = def.table <= LINES_3_11 ? def.table : LINES_NONE;
	c->lines.first_line = def.first_line;
	c->lines.cut = def.cut || rest.size < def.lines;
	take_bytes(&c->lines.table, &c->lines.size, &rest, def.lines);
}

void stacks_take_module(struct stack_tables *t, uint64_t id, const uint8_t *body, size_t size)
{
	struct def_module def;
	struct rest rest;
	struct module *m;

	if (size < sizeof(def))
		return;
	memcpy(&def, body, sizeof(def));
	rest = (struct rest){ body + sizeof(def), size - sizeof(def) };
	m = table_put(&t->modules, id);
	take_bytes(&m->build_id, &m->build_id_size, &rest, def.build_id);
	take_text(&m->file, &rest, rest.size);
}

void stacks_finish(struct stack_tables *t)
{
	for (size_t i = 0; i < t->stacks.count; i++) {
		struct stack *s = table_item(&t->stacks, i);

		for (uint32_t k = 0; k < s->count; k++) {
			struct frame *f = &s->frames[k];

			if (s->kind == STACK_NATIVE)
				f->module = f->id ? table_find(&t->modules, f->id) : NULL;
			else
				f->code = f->id ? table_find(&t->codes, f->id) : NULL;
		}
	}
}

void stacks_free(struct stack_tables *t)
{
	for (size_t i = 0; i < t->stacks.count; i++)
		free(((struct stack *)table_item(&t->stacks, i))->frames);
	for (size_t i = 0; i < t->codes.count; i++) {
		struct code *c = table_item(&t->codes, i);

		free(c->name);
		free(c->file);
		code_lines_free(&c->lines);
	}
	for (size_t i = 0; i < t->modules.count; i++) {
		struct module *m = table_item(&t->modules, i);

		free(m->file);
		free(m->build_id);
		elf_symbols_close(m->symbols);
	}
	table_free(&t->stacks);
	table_free(&t->codes);
	table_free(&t->modules);
}

const struct stack *stacks_find(const struct stack_tables *t, uint64_t id, enum stack_kind kind)
{
	const struct stack *s = id ? table_find(&t->stacks, id) : NULL;

	return s && s->kind == kind ? s : NULL;
}

uint32_t frame_line(const struct frame *f)
{
	return f->code ? code_lines_find(&f->code->lines, f->at) : 0;
}

/* A call returns behind itself: to the next function, where it was the last of its own. */
const char *frame_symbol(const struct frame *f)
{
	struct module *m = f->module;

	if (!m || !f->at)
		return NULL;
	if (!m->asked)
		m->symbols = elf_symbols_open(m->file, m->build_id, m->build_id_size);
	m->asked = true;
	return m->symbols ? elf_symbols_find(m->symbols, f->at - 1) : NULL;
}

bool stacks_strip_paths;

/* The last folder and the name: train/model.py of /job/train/model.py */
const char *stacks_path(const char *path, size_t size)
{
	unsigned int slashes = 0;

	for (const char *at = path + size; stacks_strip_paths && at > path;)
		if (*--at == '/' && ++slashes == 2)
			return at + 1;
	return path + (stacks_strip_paths && *path == '/');
}
