/*
 * aclnn.S - a fixed pool of ways into operators: number i leads to aclnn_operators[i], odd ones to first phases; the first
 * of them have the names that programs are linked to. Outside a window nothing is touched. Inside, aclnn_second() is told
 * which operator; a first phase has any number of arguments, of which nothing is known: every register that may hold one is
 * kept while aclnn_entered() looks. So they are when the real function is not known yet. If the end of a first phase matters,
 * it is called with a copy of the caller's stack arguments: at most COPIED bytes of them, and no more than the stack has.
 *
 * The frame, from its address down: what ARGUMENTS_KEEP keeps, and at WAY_AT where the way goes on; vectors up to 208; at 216
 * 0, or 16 + bytes to copy; from FIRST_AT up to FIRST_TO a struct first; the copy.
 *
 * Every way jumps or calls by an instruction of its own, which the processor foretells: one for all operators it would not,
 * which costs as much as the rest of a recorded call. On x86-64 what is recorded is called from its way, too: a second phase
 * the short way, between aclnn_begun(), which makes the frame that aclnn_ended takes away (SECOND bytes: by what it stands in the
 * trace, what is of no use, stream), and that; a first one between aclnn_asked and aclnn_answered, which have the frame above.
 * On aarch64 it is called from one place.
 */
#define SECOND	24		/* as aclnn_begun() pushes them, second_phase.c */
#define CALLED	47		/* of the 64 bytes of a second phase's way: here its frame begins to stand */
#define ASKED	53		/* of those of a first phase's */
#define WAY_AT	72		/* below the frame's address: where a first phase's way goes on */

#include "agent/record/gate_bits.h"
#include "hooks/ascend/aclnn/ways.h"
#define OPEN	(1 << GATE_BIT_WINDOW)
#define STARTED	(1 << GATE_BIT_STARTED)
#define SHAPES	(1 << GATE_BIT_SHAPES)

#include "hooks/link/trampoline.inc"

	.text
	.globl	aclnn_code
	.hidden	aclnn_code
	.hidden	aclnn_operators
	.hidden	aclnn_entered
	.hidden	aclnn_returned
	.hidden	aclnn_second
	.hidden	aclnn_unwound
	.hidden	gate
	.p2align 7
aclnn_code:
	.cfi_startproc
	.set	i, 0

#if defined(__x86_64__)
	.hidden	aclnn_begun
	.hidden	aclnn_end

/*
 * As a linker tells of its PLT. Of first phases' ways: (rip & 127) >= 64 + ASKED ? rbp + 16 (DW_OP_breg6, const1u 127, and, ge, bra ..., breg6);
 * of the others: rsp + 8 + (rip - CALLED & 127 < 64 - CALLED) * SECOND. So rbp, by DW_CFA_val_expression: what that frame has kept of it, or itself.
 */
#define IN_FIRST 0x80, 0, 0x08, 127, 0x1a, 0x08, 64 + ASKED, 0x2a
	.cfi_personality 0x1b, aclnn_unwound
	.cfi_escape 0x0f, 30, IN_FIRST, 0x28, 17, 0, 0x77, 8, 0x80, 128 - CALLED, 0x08, 127, 0x1a, 0x08, 64 - CALLED, 0x2d, 0x08, SECOND, 0x1e, 0x22, 0x2f, 2, 0, 0x76, 16
	.cfi_escape 0x16, 6, 19, IN_FIRST, 0x28, 5, 0, 0x76, 0, 0x2f, 3, 0, 0x76, 0, 0x06

/* rax is no argument: the signature is known. */
	.macro OWN_SECOND
	.p2align WAY_LOG
	endbr64
	movl	gate(%rip), %eax
	andl	$OPEN | SHAPES | STARTED, %eax
	cmpl	$STARTED, %eax
	jne	1f
	movq	aclnn_operators + 128 * i(%rip), %rax
	testq	%rax, %rax
	je	1f
	jmp	*%rax
1:	movl	$i, %r11d
	call	aclnn_begun
	.org	aclnn_code + 64 * i + CALLED, 0xcc
	jne	aclnn_not_begun
	call	*aclnn_operators + 128 * i(%rip)
	jmp	aclnn_ended
	.endm

	.macro OWN_FIRST
	.p2align WAY_LOG
	endbr64
	movl	gate(%rip), %r11d
	andl	$OPEN | SHAPES | STARTED, %r11d
	cmpl	$STARTED, %r11d
	jne	1f
	movq	aclnn_operators + 128 * i(%rip), %r11
	testq	%r11, %r11
	je	1f
	jmp	*%r11
1:	movl	$i, %r11d
	call	aclnn_asked
	.org	aclnn_code + 64 * i + ASKED, 0xcc
	call	*aclnn_operators + 128 * i(%rip)
	jmp	aclnn_answered
	.endm

	.macro OWN_WAY
	.if	i & 1
	OWN_FIRST
	.else
	OWN_SECOND
	.endif
	.set	i, i + 1
	.endm
#elif defined(__aarch64__)

	.macro OWN_WAY
	.p2align WAY_LOG
	hint	#34			/* bti c */
	adrp	x16, gate
	ldr	w16, [x16, :lo12:gate]
	tbnz	w16, #GATE_BIT_WINDOW, 1f
	tbnz	w16, #GATE_BIT_SHAPES, 1f
	tbz	w16, #GATE_BIT_STARTED, 1f
	adrp	x17, aclnn_operators + 128 * i
	ldr	x17, [x17, :lo12:aclnn_operators + 128 * i]
	cbz	x17, 1f
	br	x17
1:	mov	x16, #i
	b	aclnn_common
	.set	i, i + 1
	.endm
#endif

	.macro NAMED name
	.globl	\name
	.type	\name, %function
	.p2align WAY_LOG
\name:
	OWN_WAY
	.endm
#define ACLNN(name)	NAMED aclnn##name; NAMED aclnn##name##GetWorkspaceSize
#define FIRST_OF(name)	OWN_WAY; NAMED name##GetWorkspaceSize /* its second phase is a row */

#include "hooks/ascend/aclnn/names.def"
	.rept	OPERATORS - i
	OWN_WAY
	.endr
	.cfi_endproc

	.p2align 4

#if defined(__x86_64__)

aclnn_ended:
	.cfi_startproc
	.cfi_personality 0x1b, aclnn_unwound
	.cfi_def_cfa_offset SECOND + 8
	movl	%eax, %edi
	popq	%rsi
	.cfi_def_cfa_offset SECOND
	popq	%rdx
	.cfi_def_cfa_offset SECOND - 8
	popq	%rdx
	.cfi_def_cfa_offset 8
	jmp	aclnn_end
	.cfi_endproc

aclnn_not_begun:
	.cfi_startproc
	.cfi_personality 0x1b, aclnn_unwound
	.cfi_def_cfa_offset SECOND + 8
	addq	$SECOND, %rsp
	.cfi_def_cfa_offset 8
	movl	gate(%rip), %r10d
	andl	$OPEN | SHAPES | STARTED, %r10d
	cmpl	$STARTED, %r10d
	jne	1f
	cmpq	$0, (%r11)
	je	1f
	jmp	*(%r11)
1:	movq	%r11, %r8		/* behind the four arguments that every second phase has */
	movq	(%rsp), %r9
	jmp	aclnn_second
	.cfi_endproc

/* Goes back to the way of operator r11d if it is to call; else there itself. */
aclnn_asked:
	.cfi_startproc
	.cfi_personality 0x1b, aclnn_unwound
	.cfi_def_cfa_offset 16
	shlq	$7, %r11
	leaq	aclnn_operators(%rip), %r10
	addq	%r10, %r11
	popq	%r10
	.cfi_def_cfa_offset 8
	FRAME_MAKE FIRST_AT, COPIED
	ARGUMENTS_KEEP r11
	movq	%r10, -WAY_AT(%rbp)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	%xmm\n, -208+16*\n(%rbp)
	.endr
	movq	%r11, %rdi
	movq	8(%rbp), %rsi
	movq	%rbp, %rdx
	call	aclnn_entered
	movq	%rax, -216(%rbp)
	STACK_COPY rax
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movups	-208+16*\n(%rbp), %xmm\n
	.endr
	ARGUMENTS_BRING
	cmpq	$0, -216(%rbp)
	je	1f
	pushq	-WAY_AT(%rbp)
	ret
1:	movq	-8(%rbp), %r11
	FRAME_LEAVE
	leaq	2f(%rip), %r10		/* a return for the way's call: else all those that come would be foretold wrongly */
	pushq	%r10
	.cfi_def_cfa_offset 16
	ret
	.cfi_def_cfa_offset 8
2:	jmp	*(%r11)
	.cfi_endproc

aclnn_answered:
	.cfi_startproc
	.cfi_personality 0x1b, aclnn_unwound
	.cfi_def_cfa %rbp, 16
	.cfi_offset %rbp, -16
	movq	%rax, -216(%rbp)
	movl	%eax, %edi
	movq	%rbp, %rsi
	call	aclnn_returned
	movq	-216(%rbp), %rax
	FRAME_LEAVE
	ret
	.cfi_endproc

#elif defined(__aarch64__)

aclnn_common:
	.cfi_startproc
	.cfi_personality 0x1b, aclnn_unwound
	adrp	x17, aclnn_operators
	add	x17, x17, :lo12:aclnn_operators
	add	x17, x17, x16, lsl #7
	tbnz	w16, #0, 2f
	mov	x4, x17			/* behind the four arguments that every second phase has */
	mov	x5, x30
	b	aclnn_second
2:	FRAME_MAKE FIRST_AT, COPIED
	ARGUMENTS_KEEP x17
	mov	x0, x17
	mov	x1, x30
	mov	x2, x29
	bl	aclnn_entered
	mov	x16, x0
	STACK_COPY x0
	ldur	x17, [x29, #-8]
	ARGUMENTS_BRING
	cbnz	x16, 4f
	.cfi_remember_state
	FRAME_LEAVE
	ldr	x16, [x17]
	br	x16
	.cfi_restore_state
4:	ldr	x16, [x17]
	blr	x16
	stur	x0, [x29, #-216]
	mov	x1, x29
	bl	aclnn_returned
	ldur	x0, [x29, #-216]
	FRAME_LEAVE
	ret
	.cfi_endproc

#endif
	.section .note.GNU-stack, "", %progbits
