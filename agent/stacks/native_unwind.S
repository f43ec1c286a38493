/*
 * native_unwind.S - int native_unwind_slowly(void **frames, int count, int (*by)(void **, int)): by(frames, count), in a frame whose frame pointer is FAR
 * below it. libunwind's fast way, which goes by what it remembers of addresses, has 29 bits for where a frame ends: it gives up there, and the
 * library takes the other. It knows no other registers than the stack's and the frame's there, so that none may tell.
 */
#define FAR 0x20000000

	.hidden	native_unwind_slowly
	.globl	native_unwind_slowly
	.text
	.p2align 4
#if defined(__x86_64__)

	.type	native_unwind_slowly, @function
native_unwind_slowly:
	.cfi_startproc
	endbr64
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	leaq	-FAR(%rsp), %rbp
	.cfi_def_cfa %rbp, FAR + 16
	call	*%rdx
	.cfi_def_cfa %rsp, 16
	popq	%rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbp
	ret
	.cfi_endproc

#elif defined(__aarch64__)

	.type	native_unwind_slowly, %function
native_unwind_slowly:
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x9, #FAR
	sub	x29, sp, x9
	.cfi_def_cfa x29, FAR + 16
	blr	x2
	.cfi_def_cfa sp, 16
	ldp	x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -16
	ret
	.cfi_endproc

#endif
	.size	native_unwind_slowly, . - native_unwind_slowly
	.section .note.GNU-stack, "", %progbits
