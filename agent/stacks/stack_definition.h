/* stack_definition.h - the definition of a stack, whatever its frames are of. */
#pragma once
#include "agent/session/definitions.h"

struct stack_definition {
	struct def_stack def;
	struct def_frame frames[STACK_FRAMES];
};

/* A DEF_STACK id; 0: there was no room. */
static inline uint64_t stack_define(const struct stack_definition *d)
{
	uint64_t id = definitions_id();

	return definitions_add(DEF_STACK, id, &d->def, sizeof(d->def), d->frames, d->def.frames * sizeof(*d->frames)) ? id : 0;
}
