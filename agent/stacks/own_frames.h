/*
 * own_frames.h - how functions of ours are left, which have no frame pointers where they would cost something: as the compiler says in our own .eh_frame.
 * The program's functions are not looked at.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/stacks/stack_memory.h"

struct stack_registers {
	uintptr_t pc, sp, fp; /* pc: where the call returns to */
};

/* Finds where this library lies. */
void own_frames_find(void);

/* Is it code of ours? */
bool own_frames_has(uintptr_t pc);

/* An address that a call returns to, without the signature that it may have on the stack. */
uintptr_t own_frames_address(uintptr_t pc);

/* From a function of ours to the one that called it. False: nothing is said of it that is understood, or it only looks as if there were one. */
bool own_frames_leave(struct stack_registers *r, struct stack_reach *reach);
