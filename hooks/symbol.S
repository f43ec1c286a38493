/*
 * symbol.S - probes of the step source symbol:. A probe saves every register that may hold an
 * argument, tells that it was entered, and goes on to the real function: by a jump, or, where the
 * return is the boundary, by a call with a copy of the caller's stack arguments (COPIED bytes of them).
 */
#define PROBES	8		/* SYMBOL_PROBES */
#define COPIED	256

	.text
	.globl	symbol_code
	.hidden	symbol_code
	.hidden	symbol_entered
	.hidden	symbol_returned
	.p2align 4
symbol_code:

#if defined(__x86_64__)

	.set	i, 0
	.rept	PROBES
	.p2align 4
	endbr64
	movl	$i, %r11d
	jmp	symbol_common
	.set	i, i + 1
	.endr

	.p2align 4
symbol_common:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$208 + COPIED, %rsp
	movq	%r11, -8(%rbp)
	movq	%rax, -16(%rbp)
	movq	%rdi, -24(%rbp)
	movq	%rsi, -32(%rbp)
	movq	%rdx, -40(%rbp)
	movq	%rcx, -48(%rbp)
	movq	%r8, -56(%rbp)
	movq	%r9, -64(%rbp)
	movq	%r10, -72(%rbp)
	movaps	%xmm0, -96(%rbp)
	movaps	%xmm1, -112(%rbp)
	movaps	%xmm2, -128(%rbp)
	movaps	%xmm3, -144(%rbp)
	movaps	%xmm4, -160(%rbp)
	movaps	%xmm5, -176(%rbp)
	movaps	%xmm6, -192(%rbp)
	movaps	%xmm7, -208(%rbp)
	movq	%r11, %rdi
	call	symbol_entered		/* rax: the real function, rdx: tell its return */
	movq	%rax, %r11
	testq	%rdx, %rdx
	jz	1f
	leaq	16(%rbp), %rsi
	movq	%rsp, %rdi
	movl	$COPIED / 8, %ecx
	rep movsq
	testq	%rax, %rax		/* clears ZF: the pointer is not NULL */
1:	movq	-16(%rbp), %rax
	movq	-24(%rbp), %rdi
	movq	-32(%rbp), %rsi
	movq	-40(%rbp), %rdx
	movq	-48(%rbp), %rcx
	movq	-56(%rbp), %r8
	movq	-64(%rbp), %r9
	movq	-72(%rbp), %r10
	movaps	-96(%rbp), %xmm0
	movaps	-112(%rbp), %xmm1
	movaps	-128(%rbp), %xmm2
	movaps	-144(%rbp), %xmm3
	movaps	-160(%rbp), %xmm4
	movaps	-176(%rbp), %xmm5
	movaps	-192(%rbp), %xmm6
	movaps	-208(%rbp), %xmm7
	jnz	2f
	.cfi_remember_state
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	jmp	*%r11
	.cfi_restore_state
2:	call	*%r11
	movq	%rax, -16(%rbp)
	movq	%rdx, -24(%rbp)
	movaps	%xmm0, -96(%rbp)
	movaps	%xmm1, -112(%rbp)
	movq	-8(%rbp), %rdi
	call	symbol_returned
	movq	-16(%rbp), %rax
	movq	-24(%rbp), %rdx
	movaps	-96(%rbp), %xmm0
	movaps	-112(%rbp), %xmm1
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc

#elif defined(__aarch64__)

	.set	i, 0
	.rept	PROBES
	.p2align 4
	hint	#34			/* bti c */
	mov	x16, #i
	b	symbol_common
	nop
	.set	i, i + 1
	.endr

	.p2align 4
symbol_common:
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov	x29, sp
	.cfi_def_cfa_register 29
	sub	sp, sp, #224 + COPIED
	stur	x16, [x29, #-8]
	stur	x8, [x29, #-16]
	stp	x0, x1, [x29, #-32]
	stp	x2, x3, [x29, #-48]
	stp	x4, x5, [x29, #-64]
	stp	x6, x7, [x29, #-80]
	stp	q0, q1, [x29, #-112]
	stp	q2, q3, [x29, #-144]
	stp	q4, q5, [x29, #-176]
	stp	q6, q7, [x29, #-208]
	mov	x0, x16
	bl	symbol_entered		/* x0: the real function, x1: tell its return */
	mov	x16, x0
	mov	x17, x1
	cbz	x17, 1f
	add	x9, x29, #16
	mov	x10, sp
	mov	x11, #COPIED
3:	ldp	x12, x13, [x9], #16
	stp	x12, x13, [x10], #16
	subs	x11, x11, #16
	b.ne	3b
1:	ldur	x8, [x29, #-16]
	ldp	x0, x1, [x29, #-32]
	ldp	x2, x3, [x29, #-48]
	ldp	x4, x5, [x29, #-64]
	ldp	x6, x7, [x29, #-80]
	ldp	q0, q1, [x29, #-112]
	ldp	q2, q3, [x29, #-144]
	ldp	q4, q5, [x29, #-176]
	ldp	q6, q7, [x29, #-208]
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
