/*
 * python_layout.h - where CPython keeps what stands in a stack: offsets in its thread states, frames, code objects and texts. To 3.12 as its
 * headers lay them out for 64 bits, from 3.13 on as its _PyRuntime tells. A build that differs (for debugging) is found out by a test:
 * agent/steps/python_stacks.py.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct python_layout {
	uint16_t minor;			    /* of CPython 3; 0: none is known */
	uint16_t frame, record;		    /* of a thread state: its innermost frame; record: or what stands between (3.11, 3.12): */
	bool has_record;		    /* it does, and has the frame */
	uint16_t back, code, instr, owner;  /* of a frame; owner: from 3.11 on */
	uint16_t bytes;			    /* of a code object: its instructions, from 3.11 on */
	uint16_t name, file, lines, line;   /* line: the first, an int */
	uint16_t version;		    /* a number that no other code object has, from 3.12 on */
	uint16_t length, state, ascii;	    /* of a text: ascii: the bytes of one that is ASCII */
	uint16_t bytes_length, bytes_begin; /* of a bytes object */
};

/* version: as Py_GetVersion() says; runtime: _PyRuntime, or NULL. False: frames of this Python cannot be read. */
bool python_layout_find(struct python_layout *l, const char *version, const void *runtime);

/* What it takes to read p->field: own memory of the program's Python. */
static inline const char *python_pointer(const void *object, unsigned int offset)
{
	return *(const char *const *)((const char *)object + offset);
}

static inline int32_t python_int(const void *object, unsigned int offset)
{
	return *(const int32_t *)((const char *)object + offset);
}

static inline uint64_t python_size(const void *object, unsigned int offset)
{
	return *(const uint64_t *)((const char *)object + offset);
}
