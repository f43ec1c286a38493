/*
 * aclnn.S - a fixed pool of ways into operators: number i leads to aclnn_operators[i]; the first of them have the names that
 * programs are linked to. Outside a window nothing is touched. Inside, aclnn_second() is told which operator; a first
 * phase has any number of arguments, of which nothing is known: every register that may hold one is kept while
 * aclnn_entered() looks. So they are when the real function is not known yet.
 */
#define OPERATORS 8192		/* as in aclnn.c, and so are the two offsets */
#define FIRST	8		/* offsetof(struct aclnn, first) */
#define OPEN	0x40000000	/* GATE_WINDOW */
#define STARTED	0x80000000	/* GATE_STARTED */

	.text
	.globl	aclnn_code
	.hidden	aclnn_code
	.hidden	aclnn_operators
	.hidden	aclnn_entered
	.hidden	aclnn_second
	.hidden	gate
	.p2align 4
aclnn_code:
	.set	i, 0

	.macro NAMED name
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	WAY
	.endm
#define ACLNN(name)	NAMED aclnn##name; NAMED aclnn##name##GetWorkspaceSize

#if defined(__x86_64__)

	.macro WAY
	.p2align 4
	endbr64
	movl	$i, %r11d
	jmp	aclnn_common
	.set	i, i + 1
	.endm

#include "hooks/aclnn_names.def"
	.rept	OPERATORS - i
	WAY
	.endr

	.p2align 4
aclnn_common:
	.cfi_startproc
	shlq	$7, %r11
	leaq	aclnn_operators(%rip), %r10
	addq	%r10, %r11
	cmpq	$0, (%r11)
	je	2f
3:	movl	gate(%rip), %r10d
	andl	$OPEN | STARTED, %r10d
	cmpl	$STARTED, %r10d
	jne	1f
	jmp	*(%r11)
1:	cmpl	$0, FIRST(%r11)
	jne	2f
	movq	%r11, %r8		/* behind the four arguments that every second phase has */
	jmp	aclnn_second
2:	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$208, %rsp
	movq	%r11, -8(%rbp)
	movq	%rax, -16(%rbp)		/* the vector count of variadic calls */
	movq	%rdi, -24(%rbp)
	movq	%rsi, -32(%rbp)
	movq	%rdx, -40(%rbp)
	movq	%rcx, -48(%rbp)
	movq	%r8, -56(%rbp)
	movq	%r9, -64(%rbp)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	%xmm\n, -208+16*\n(%rbp)
	.endr
	movq	%r11, %rdi
	movq	8(%rbp), %rsi
	call	aclnn_entered
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	-208+16*\n(%rbp), %xmm\n
	.endr
	movq	-8(%rbp), %r11
	movq	-16(%rbp), %rax
	movq	-24(%rbp), %rdi
	movq	-32(%rbp), %rsi
	movq	-40(%rbp), %rdx
	movq	-48(%rbp), %rcx
	movq	-56(%rbp), %r8
	movq	-64(%rbp), %r9
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	cmpl	$0, FIRST(%r11)
	je	3b
	jmp	*(%r11)
	.cfi_endproc

#elif defined(__aarch64__)

	.macro WAY
	.p2align 4
	hint	#34			/* bti c */
	mov	x16, #i
	b	aclnn_common
	nop
	.set	i, i + 1
	.endm

#include "hooks/aclnn_names.def"
	.rept	OPERATORS - i
	WAY
	.endr

	.p2align 4
aclnn_common:
	.cfi_startproc
	adrp	x17, aclnn_operators
	add	x17, x17, :lo12:aclnn_operators
	add	x17, x17, x16, lsl #7
	ldr	x16, [x17]
	cbz	x16, 2f
3:	adrp	x16, gate
	ldr	w16, [x16, :lo12:gate]
	tbnz	w16, #30, 1f		/* GATE_WINDOW */
	tbz	w16, #31, 1f		/* not GATE_STARTED */
	ldr	x16, [x17]
	br	x16
1:	ldr	w16, [x17, #FIRST]
	cbnz	w16, 2f
	mov	x4, x17			/* behind the four arguments that every second phase has */
	b	aclnn_second
2:	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov	x29, sp
	.cfi_def_cfa_register 29
	sub	sp, sp, #208
	stur	x17, [x29, #-8]
	stur	x8, [x29, #-16]
	stp	x0, x1, [x29, #-32]
	stp	x2, x3, [x29, #-48]
	stp	x4, x5, [x29, #-64]
	stp	x6, x7, [x29, #-80]
	stp	q0, q1, [x29, #-112]
	stp	q2, q3, [x29, #-144]
	stp	q4, q5, [x29, #-176]
	stp	q6, q7, [x29, #-208]
	mov	x0, x17
	mov	x1, x30
	bl	aclnn_entered
	ldur	x17, [x29, #-8]
	ldur	x8, [x29, #-16]
	ldp	x0, x1, [x29, #-32]
	ldp	x2, x3, [x29, #-48]
	ldp	x4, x5, [x29, #-64]
	ldp	x6, x7, [x29, #-80]
	ldp	q0, q1, [x29, #-112]
	ldp	q2, q3, [x29, #-144]
	ldp	q4, q5, [x29, #-176]
	ldp	q6, q7, [x29, #-208]
	mov	sp, x29
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa sp, 0
	.cfi_restore 29
	.cfi_restore 30
	ldr	w16, [x17, #FIRST]
	cbz	w16, 3b
	ldr	x16, [x17]
	br	x16
	.cfi_endproc

#endif
	.section .note.GNU-stack, "", %progbits
