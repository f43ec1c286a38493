/*
 * thunk.S - a fixed pool of entries, so that no code is made at run time. Thunk i puts thunks[i].real
 * where the wrapper looks first (producer.through, in TLS) and jumps to thunks[i].entry.
 */
#define THUNKS	512		/* as in thunk.h */
#define SIZE	16		/* bytes of a thunk's code */
#define THROUGH	56		/* offsetof(struct producer, through); checked in thunk.c */

	.text
	.globl	thunk_code
	.hidden	thunk_code
	.hidden	thunks
	.hidden	producer
	.p2align 4
thunk_code:

#if defined(__x86_64__)

	.set	i, 0
	.rept	THUNKS
	.p2align 4
	endbr64
	movl	$i, %r11d
	jmp	thunk_common
	.set	i, i + 1
	.endr

	.p2align 4
thunk_common:
	.cfi_startproc
	shlq	$4, %r11
	leaq	thunks(%rip), %r10
	addq	%r10, %r11
	pushq	%rax			/* holds the vector count of variadic calls */
	.cfi_adjust_cfa_offset 8
	movq	producer@gottpoff(%rip), %r10
	movq	(%r11), %rax
	movq	%rax, %fs:THROUGH(%r10)
	popq	%rax
	.cfi_adjust_cfa_offset -8
	jmp	*8(%r11)
	.cfi_endproc

#elif defined(__aarch64__)

	.set	i, 0
	.rept	THUNKS
	.p2align 4
	hint	#34			/* bti c */
	mov	x16, #i
	b	thunk_common
	nop
	.set	i, i + 1
	.endr

	.p2align 4
thunk_common:
	.cfi_startproc
	adrp	x17, thunks
	add	x17, x17, :lo12:thunks
	add	x16, x17, x16, lsl #4
	sub	sp, sp, #16
	.cfi_adjust_cfa_offset 16
	str	x9, [sp]
	adrp	x17, :gottprel:producer
	ldr	x17, [x17, :gottprel_lo12:producer]
	mrs	x9, tpidr_el0
	add	x17, x17, x9
	ldr	x9, [x16]
	str	x9, [x17, #THROUGH]
	ldr	x9, [sp]
	add	sp, sp, #16
	.cfi_adjust_cfa_offset -16
	ldr	x16, [x16, #8]
	br	x16
	.cfi_endproc

#endif
	.section .note.GNU-stack, "", %progbits
