/*
 * registered.h - the stubs of kernels that modules tell of when they are loaded: tens of thousands, of which few are ever launched. So
 * one is noted by a few stores, behind those of the same module, and who looks for one goes through the modules.
 */
#pragma once
#include "agent/record/handles.h"

struct registered_block;

struct registered {
	_Atomic(struct registered_block *) blocks; /* made at the first stub */
	_Atomic uint32_t used;			   /* of the blocks */
	uint32_t spare;				   /* a block that was a module's that has ended, and leads to others; 0: none */
	atomic_flag reusing;
	_Atomic uint64_t count; /* of stubs, ever */
	struct handles modules; /* a = newest block of its */
};

/* Neither is copied, nor looked at: the text stays as long as the module does. */
void registered_add(struct registered *of, const void *module, const void *stub, const char *name);

/* NULL: there is none. Of a template that two modules have the stubs may be one: it is of the first while that is there. */
const char *registered_name(struct registered *of, const void *stub, const void **module);

/* Calls gone for each of its stubs. */
void registered_end(struct registered *of, const void *module, void (*gone)(void *data, const void *stub), void *data);
