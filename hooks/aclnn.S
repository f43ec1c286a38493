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

#include "hooks/ways.inc"

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
	WAY	aclnn_common
	.endm
#define ACLNN(name)	NAMED aclnn##name; NAMED aclnn##name##GetWorkspaceSize

#include "hooks/aclnn_names.def"
	.rept	OPERATORS - i
	WAY	aclnn_common
	.endr

	.p2align 4

#if defined(__x86_64__)

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
	ARGUMENTS_KEEP r11
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
	ARGUMENTS_BRING
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	cmpl	$0, FIRST(%r11)
	je	3b
	jmp	*(%r11)
	.cfi_endproc

#elif defined(__aarch64__)

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
	ARGUMENTS_KEEP x17
	mov	x0, x17
	mov	x1, x30
	bl	aclnn_entered
	ldur	x17, [x29, #-8]
	ARGUMENTS_BRING
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
