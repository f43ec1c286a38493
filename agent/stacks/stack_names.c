#include "agent/stacks/stack_names.h"
#include <string.h>
#include "agent/record/recent_keys.h"
#include "agent/session/session.h"
#include "agent/stacks/python_text.h"
#include "agent/stacks/stack_definition.h"

#define NAME_MOST  1024
#define FILE_MOST  2048
#define OUR_FILE   "<ranktrace>" /* of functions that python_shim.py has put in place of others */
#define OURS_THERE UINT64_MAX	 /* in place of a DEF_CODE id */

static struct recent_keys stacks; /* what a stack is known by: DEF_STACK id */
static struct recent_keys codes;  /* what a code object is known by: DEF_CODE id */

/* ---- functions ---- */

struct code {
	struct def_code def;
	char text[NAME_MOST + FILE_MOST];
};

static enum line_table table_of(const struct python_layout *l)
{
	return l->minor >= 11 ? LINES_3_11 : l->minor == 10 ? LINES_3_10
							    : LINES_3_8;
}

static bool is_ours(const struct code *c)
{
	return c->def.file == sizeof(OUR_FILE) - 1 && !memcmp(c->text + c->def.name, OUR_FILE, c->def.file);
}

static uint64_t define_code(const struct python_layout *l, const char *code)
{
	const char *lines = python_pointer(code, l->lines);
	uint64_t size = python_size(lines, l->bytes_length), id;
	size_t head, room;
	struct code c = { .def = { .first_line = (uint32_t)python_int(code, l->line), .table = (uint8_t)table_of(l) } };

	c.def.name = (uint16_t)python_text(l, python_pointer(code, l->name), c.text, NAME_MOST);
	c.def.file = (uint16_t)python_text(l, python_pointer(code, l->file), c.text + c.def.name, FILE_MOST);
	if (is_ours(&c))
		return OURS_THERE;
	head = sizeof(c.def) + c.def.name + c.def.file;
	room = DEFINITION_LONGEST - head;
	c.def.cut = size > room;
	c.def.lines = (uint32_t)(size < room ? size : room);
	id = definitions_id();
	return definitions_add(DEF_CODE, id, &c, head, lines + l->bytes_begin, c.def.lines) ? id : 0;
}

static uint64_t code_id(const struct python_layout *l, const char *code)
{
	uint64_t key = recent_keys_of(python_code_hash(l, code), session_generation);

	return recent_keys_get(&codes, key) ?: recent_keys_keep(&codes, key, define_code(l, code));
}

/* ---- stacks ---- */

static uint64_t define_stack(const struct python_layout *l, const struct python_stack *s)
{
	struct stack_definition d = { .def = { .kind = STACK_PYTHON, .truncated = s->truncated } };

	for (unsigned int i = 0; i < s->count; i++) {
		uint64_t code = code_id(l, s->frames[i].code);

		if (!code)
			return 0;
		if (code != OURS_THERE)
			d.frames[d.def.frames++] = (struct def_frame){ code, s->frames[i].at > 0 ? (uint32_t)s->frames[i].at : 0 };
	}
	return stack_define(&d);
}

uint64_t stack_names_of(const struct python_layout *l, const struct python_stack *s)
{
	uint64_t key = recent_keys_of(s->hash, (uint64_t)s->count << 32 | session_generation);

	return recent_keys_get(&stacks, key) ?: recent_keys_keep(&stacks, key, define_stack(l, s));
}
