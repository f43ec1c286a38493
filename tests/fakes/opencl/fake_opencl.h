/* fake_opencl.h - what a test may ask the fake vendor library about itself. */
#pragma once

struct fake_row {
	const char *name; /* NULL: a second number of the row before (HOOK_AS) */
	unsigned long calls;
};
extern struct fake_row fake_rows[];
extern const unsigned int fake_row_count;

/* How often was this function called? 0 for a name that is not there. */
unsigned long fake_calls(const char *name);

/* From now on every function of the library calls this before it answers. NULL: no more. */
void fake_call_back(void (*function)(void));

/* The arguments of the last call, as a number. */
unsigned long fake_given(void);
