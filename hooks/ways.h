/*
 * ways.h - for assembly: what fixed pools of ways in have in common.
 *
 * WAY common: entry number i of a pool, 16 bytes, leads to `common` with i in r11 or x16, and counts i up.
 *
 * ARGUMENTS_KEEP scratch, ARGUMENTS_BRING: keep every register for integers that may hold an argument in the frame
 * below the frame pointer, and on aarch64 those for vectors too (their low 128 bits), and bring them back. The scratch
 * register is kept with them, in the first word.
 */
#if defined(__x86_64__)

	.macro WAY common
	.p2align 4
	endbr64
	movl	$i, %r11d
	jmp	\common
	.set	i, i + 1
	.endm

	.macro ARGUMENTS_KEEP scratch
	movq	%\scratch, -8(%rbp)
	movq	%rax, -16(%rbp)		/* the vector count of variadic calls */
	movq	%rdi, -24(%rbp)
	movq	%rsi, -32(%rbp)
	movq	%rdx, -40(%rbp)
	movq	%rcx, -48(%rbp)
	movq	%r8, -56(%rbp)
	movq	%r9, -64(%rbp)
	.endm

	.macro ARGUMENTS_BRING
	movq	-16(%rbp), %rax
	movq	-24(%rbp), %rdi
	movq	-32(%rbp), %rsi
	movq	-40(%rbp), %rdx
	movq	-48(%rbp), %rcx
	movq	-56(%rbp), %r8
	movq	-64(%rbp), %r9
	.endm

#elif defined(__aarch64__)

	.macro WAY common
	.p2align 4
	hint	#34			/* bti c */
	mov	x16, #i
	b	\common
	nop
	.set	i, i + 1
	.endm

	.macro ARGUMENTS_KEEP scratch
	stur	\scratch, [x29, #-8]
	stur	x8, [x29, #-16]
	stp	x0, x1, [x29, #-32]
	stp	x2, x3, [x29, #-48]
	stp	x4, x5, [x29, #-64]
	stp	x6, x7, [x29, #-80]
	stp	q0, q1, [x29, #-112]
	stp	q2, q3, [x29, #-144]
	stp	q4, q5, [x29, #-176]
	stp	q6, q7, [x29, #-208]
	.endm

	.macro ARGUMENTS_BRING
	ldur	x8, [x29, #-16]
	ldp	x0, x1, [x29, #-32]
	ldp	x2, x3, [x29, #-48]
	ldp	x4, x5, [x29, #-64]
	ldp	x6, x7, [x29, #-80]
	ldp	q0, q1, [x29, #-112]
	ldp	q2, q3, [x29, #-144]
	ldp	q4, q5, [x29, #-176]
	ldp	q6, q7, [x29, #-208]
	.endm

#endif
