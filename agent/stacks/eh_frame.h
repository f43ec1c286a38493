/*
 * eh_frame.h - how a function of a loaded library is left, by what its compiler says of that: for x86-64, and as far as stack and frame pointer go. Of
 * libraries that a compiler and a linker made; nothing is read that anybody else could have written.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Where the caller's frame begins (CFA), and its frame pointer is. */
struct frame_rule {
	int32_t offset; /* of it from a register: */
	bool from_fp;	/* this one, or the stack pointer */
	int32_t saved;	/* the caller's, from there; 0: it still is in the register */
	bool unknown;
};

/* A .eh_frame_hdr as it lies in memory (PT_GNU_EH_FRAME). NULL: it is not of the form that is read here. */
const uint8_t *eh_frame_table(const void *header);

/* What is true at a place in the library's code. table: NULL: nothing is known. */
struct frame_rule eh_frame_rule(const uint8_t *table, uintptr_t at);
