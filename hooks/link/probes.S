/*
 * probes.S - probes of the step source symbol:. A probe saves every register that may hold an
 * argument, tells that it was entered, and goes on to where the call led: by a jump, or, where the
 * return is the boundary, by a call with a copy of the caller's stack arguments: COPIED bytes of them, or as
 * many as the stack has. (Scalable vectors of aarch64 that are wider than 128 bits are cut short.)
 */
#define STUBS	72		/* PROBE_STUBS */
#define COPIED	1024		/* PROBE_COPIED */

#include "hooks/link/trampoline.inc"

	.text
	.globl	probes_code
	.hidden	probes_code
	.hidden	probes_entered
	.hidden	probes_returned
	.p2align 4
probes_code:
	.set	i, 0
	.rept	STUBS
	WAY	probe_common
	.endr

	.p2align 4

#if defined(__x86_64__)

	.hidden	vectors_width
/* Vectors may be arguments in their whole width, and results: as wide as this processor has them. */
	.macro VECTORS save
	cmpl	$1, vectors_width(%rip)
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

probe_common:
	.cfi_startproc
	FRAME_MAKE 608, COPIED
	ARGUMENTS_KEEP r11
	movq	%r10, -72(%rbp)
	VECTORS	1
	movq	%r11, %rdi
	leaq	16(%rbp), %rsi
	call	probes_entered		/* rax: where to, rdx: 0, or 16 + bytes to copy */
	movq	%rax, %r11
	movq	%rdx, -80(%rbp)
	STACK_COPY rdx
	VECTORS	0
	ARGUMENTS_BRING
	movq	-72(%rbp), %r10
	cmpq	$0, -80(%rbp)
	jne	1f
	.cfi_remember_state
	FRAME_LEAVE
	jmp	*%r11
	.cfi_restore_state
1:	call	*%r11
	movq	%rax, -16(%rbp)
	movq	%rdx, -24(%rbp)
	VECTORS	1
	movq	-8(%rbp), %rdi
	call	probes_returned
	VECTORS	0
	movq	-16(%rbp), %rax
	movq	-24(%rbp), %rdx
	FRAME_LEAVE
	ret
	.cfi_endproc

#elif defined(__aarch64__)

probe_common:
	.cfi_startproc
	FRAME_MAKE 224, COPIED
	ARGUMENTS_KEEP x16
	mov	x0, x16
	add	x1, x29, #16
	bl	probes_entered		/* x0: where to, x1: 0, or 16 + bytes to copy */
	mov	x16, x0
	mov	x17, x1
	STACK_COPY x1
	ARGUMENTS_BRING
	cbnz	x17, 1f
	.cfi_remember_state
	FRAME_LEAVE
	br	x16
	.cfi_restore_state
1:	blr	x16
	stp	x0, x1, [x29, #-32]
	stp	q0, q1, [x29, #-112]
	stp	q2, q3, [x29, #-144]
	ldur	x0, [x29, #-8]
	bl	probes_returned
	ldp	x0, x1, [x29, #-32]
	ldp	q0, q1, [x29, #-112]
	ldp	q2, q3, [x29, #-144]
	FRAME_LEAVE
	ret
	.cfi_endproc

#endif
	.section .note.GNU-stack, "", %progbits
