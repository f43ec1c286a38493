/*
 * symbol.S - probes of the step source symbol:. A probe saves every register that may hold an
 * argument, tells that it was entered, and goes on to where the call led: by a jump, or, where the
 * return is the boundary, by a call with a copy of the caller's stack arguments: COPIED bytes of them, or as
 * many as the stack has. (Scalable vectors of aarch64 that are wider than 128 bits are cut short.)
 */
#define WAYS	64		/* SYMBOL_WAYS */
#define COPIED	1024		/* SYMBOL_COPIED */

#include "hooks/ways.inc"

	.text
	.globl	symbol_code
	.hidden	symbol_code
	.hidden	symbol_entered
	.hidden	symbol_returned
	.p2align 4
symbol_code:
	.set	i, 0
	.rept	WAYS
	WAY	symbol_common
	.endr

	.p2align 4

#if defined(__x86_64__)

	.hidden	symbol_vectors
/* Vectors may be arguments in their whole width, and results: as wide as this processor has them. */
	.macro VECTORS save
	cmpl	$1, symbol_vectors(%rip)
	ja	93f
	je	92f
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	MOVE	movups, xmm, \n, \save
	.endr
	jmp	94f
92:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	MOVE	vmovups, ymm, \n, \save
	.endr
	jmp	94f
93:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	MOVE	vmovups, zmm, \n, \save
	.endr
94:
	.endm

	.macro MOVE how, kind, n, save
	.if	\save
	\how	%\kind\n, -608+64*\n(%rbp)
	.else
	\how	-608+64*\n(%rbp), %\kind\n
	.endif
	.endm

symbol_common:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$608 + COPIED, %rsp
	ARGUMENTS_KEEP r11
	movq	%r10, -72(%rbp)
	VECTORS	1
	movq	%r11, %rdi
	leaq	16(%rbp), %rsi
	call	symbol_entered		/* rax: where to, rdx: 0, or 16 + bytes to copy */
	movq	%rax, %r11
	movq	%rdx, -80(%rbp)
	subq	$16, %rdx
	jbe	1f
	leaq	16(%rbp), %rsi
	movq	%rsp, %rdi
	movq	%rdx, %rcx
	shrq	$3, %rcx
	rep movsq
1:	VECTORS	0
	ARGUMENTS_BRING
	movq	-72(%rbp), %r10
	cmpq	$0, -80(%rbp)
	jne	2f
	.cfi_remember_state
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	jmp	*%r11
	.cfi_restore_state
2:	call	*%r11
	movq	%rax, -16(%rbp)
	movq	%rdx, -24(%rbp)
	VECTORS	1
	movq	-8(%rbp), %rdi
	call	symbol_returned
	VECTORS	0
	movq	-16(%rbp), %rax
	movq	-24(%rbp), %rdx
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc

#elif defined(__aarch64__)

symbol_common:
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov	x29, sp
	.cfi_def_cfa_register 29
	sub	sp, sp, #224 + COPIED
	ARGUMENTS_KEEP x16
	mov	x0, x16
	add	x1, x29, #16
	bl	symbol_entered		/* x0: where to, x1: 0, or 16 + bytes to copy */
	mov	x16, x0
	mov	x17, x1
	subs	x11, x1, #16
	b.ls	1f
	add	x9, x29, #16
	mov	x10, sp
3:	ldp	x12, x13, [x9], #16
	stp	x12, x13, [x10], #16
	subs	x11, x11, #16
	b.ne	3b
1:	ARGUMENTS_BRING
	cbnz	x17, 2f
	.cfi_remember_state
	mov	sp, x29
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa sp, 0
	.cfi_restore 29
	.cfi_restore 30
	br	x16
	.cfi_restore_state
2:	blr	x16
	stp	x0, x1, [x29, #-32]
	stp	q0, q1, [x29, #-112]
	stp	q2, q3, [x29, #-144]
	ldur	x0, [x29, #-8]
	bl	symbol_returned
	ldp	x0, x1, [x29, #-32]
	ldp	q0, q1, [x29, #-112]
	ldp	q2, q3, [x29, #-144]
	mov	sp, x29
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa sp, 0
	.cfi_restore 29
	.cfi_restore 30
	ret
	.cfi_endproc

#endif
	.section .note.GNU-stack, "", %progbits
