/* python_layouts.h - the layouts that are not told by _PyRuntime, where the compiler can see them: who reads by one of them reads at fixed places. */
#pragma once
#include "agent/base/attributes.h"
#include "agent/stacks/python_layout.h"

#define PYTHON_OLDEST	    8  /* minor version of the first one */
#define VERSION_BEHIND_LINE 24 /* bytes from a code object's first line to its number, from 3.12 on */

/* What several versions have in common. */
#define TEXTS(head)	    .length = 16, .state = 32, .ascii = (head), .bytes_length = 16, .bytes_begin = 32
#define FRAMES_3_8(at)	    .frame = 24, .back = 24, .code = 32, .instr = (at), .name = 112, .file = 104, .lines = 120, .line = 40
#define CODE_3_11(at_line)  .name = 128, .file = 112, .lines = 136, .line = (at_line)

static const struct python_layout python_layouts[] = {
	{ .minor = 8, FRAMES_3_8(104), TEXTS(48) },
	{ .minor = 9, FRAMES_3_8(104), TEXTS(48) },
	{ .minor = 10, FRAMES_3_8(96), TEXTS(48) },
	{ .minor = 11, .record = 56, .has_record = true, .frame = 8, .back = 48, .code = 32, .instr = 56, .owner = 69, .bytes = 184, CODE_3_11(72), TEXTS(48) },
	{ .minor = 12, .record = 56, .has_record = true, .frame = 0, .back = 8, .code = 0, .instr = 56, .owner = 70, .bytes = 192, CODE_3_11(68), .version = 68 + VERSION_BEHIND_LINE, TEXTS(40) },
};

/* minor: as many as there are from PYTHON_OLDEST on. */
ALWAYS_INLINE const struct python_layout *python_layout_of(unsigned int minor)
{
	return &python_layouts[minor - PYTHON_OLDEST];
}
