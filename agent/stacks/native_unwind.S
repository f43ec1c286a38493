/*
 * native_unwind.S - int native_unwind_slowly(void **frames, int count, int (*by)(void **, int)): by(frames, count), in a frame whose end is told
 * by a register other than those of stacks. libunwind's fast way, which goes by what it remembers of addresses, gives up there, and it takes the other.
 */
	.hidden	native_unwind_slowly
	.globl	native_unwind_slowly
	.text
	.p2align 4
#if defined(__x86_64__)

	.type	native_unwind_slowly, @function
native_unwind_slowly:
	.cfi_startproc
	endbr64
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	movq	%rsp, %r12
	.cfi_def_cfa %r12, 16
	call	*%rdx
	.cfi_def_cfa %rsp, 16
	popq	%r12
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r12
	ret
	.cfi_endproc

#elif defined(__aarch64__)

	.type	native_unwind_slowly, %function
native_unwind_slowly:
	.cfi_startproc
	stp	x29, x30, [sp, #-32]!
	.cfi_adjust_cfa_offset 32
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	str	x19, [sp, #16]
	.cfi_rel_offset x19, 16
	mov	x19, sp
	.cfi_def_cfa x19, 32
	blr	x2
	.cfi_def_cfa sp, 32
	ldr	x19, [sp, #16]
	.cfi_restore x19
	ldp	x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -32
	ret
	.cfi_endproc

#endif
	.size	native_unwind_slowly, . - native_unwind_slowly
	.section .note.GNU-stack, "", %progbits
