/*
 * dlsym.S - dlsym, dlvsym, dlopen, dlmopen and dlclose as tail jumps.
 *
 * glibc takes the caller from the return address; a C wrapper would put our own there and break RTLD_NEXT
 * and RTLD_DEFAULT of others, and the RUNPATH that a library is searched in.
 * DOOR: the filter sees the arguments and the caller; an answer other than NULL is the answer (1 stands for
 * a NULL), otherwise the real function runs as if we were not here.
 * OPENER: the note sees the first two arguments and gives the second back, changed or not.
 */
#if defined(__x86_64__)

	.macro ENTER name
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
	.cfi_startproc
	endbr64
	.endm

	.macro KEEP			/* the three arguments; the stack is aligned then */
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	.endm

	.macro GIVE
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	.endm

	.macro DOOR name, filter, real
	ENTER	\name
	cmpq	$0, \real(%rip)
	je	2f
1:	KEEP
	movq	24(%rsp), %rax		/* the caller */
	.ifc \name, dlsym
	movq	%rax, %rdx
	.else
	movq	%rax, %rcx
	.endif
	call	\filter
	GIVE
	cmpq	$1, %rax
	je	3f
	testq	%rax, %rax
	jnz	4f
	movq	\real(%rip), %rax
	testq	%rax, %rax
	jz	4f			/* a system without dlsym: nothing can be found */
	jmp	*%rax
2:	KEEP
	call	dlsym_find_real
	GIVE
	jmp	1b
3:	xorl	%eax, %eax
4:	ret
	.cfi_endproc
	.size	\name, .-\name
	.endm

	.macro OPENER name, note, real
	ENTER	\name
	KEEP
	call	\note
	GIVE
	movq	%rax, %rsi
	movq	\real(%rip), %rax
	testq	%rax, %rax
	jz	1f
	jmp	*%rax
1:	ret
	.cfi_endproc
	.size	\name, .-\name
	.endm

#elif defined(__aarch64__)

	/* A function whose three arguments are kept at sp + 16. */
	.macro ENTER name
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	hint	#34			/* bti c */
	stp	x29, x30, [sp, #-48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	str	x2, [sp, #32]
	.endm

	.macro DOOR name, filter, real
	ENTER	\name
	adrp	x16, \real
	ldr	x16, [x16, :lo12:\real]
	cbnz	x16, 1f
	bl	dlsym_find_real
	ldp	x0, x1, [sp, #16]
	ldr	x2, [sp, #32]
1:	ldr	x3, [sp, #8]		/* the caller */
	.ifc \name, dlsym
	mov	x2, x3
	.endif
	bl	\filter
	mov	x17, x0
	ldp	x0, x1, [sp, #16]
	ldr	x2, [sp, #32]
	ldp	x29, x30, [sp], #48
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	cmp	x17, #1
	b.eq	3f
	cbnz	x17, 4f
	adrp	x16, \real
	ldr	x16, [x16, :lo12:\real]
	cbz	x16, 4f
	br	x16
3:	mov	x17, xzr
4:	mov	x0, x17
	ret
	.cfi_endproc
	.size	\name, .-\name
	.endm

	.macro OPENER name, note, real
	ENTER	\name
	bl	\note
	mov	x1, x0
	ldr	x0, [sp, #16]
	ldr	x2, [sp, #32]
	ldp	x29, x30, [sp], #48
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	adrp	x16, \real
	ldr	x16, [x16, :lo12:\real]
	cbz	x16, 1f
	br	x16
1:	mov	x0, xzr
	ret
	.cfi_endproc
	.size	\name, .-\name
	.endm

#endif

	.hidden	dlsym_filter
	.hidden	dlsym_filter_version
	.hidden	dlsym_find_real
	.hidden	real_dlsym
	.hidden	real_dlvsym
	.hidden	real_dlopen
	.hidden	real_dlmopen
	.hidden	real_dlclose
	.hidden	dlopen_closing
	.hidden	dlopen_opening
	.hidden	dlopen_opening_elsewhere
	.text
	DOOR	dlsym, dlsym_filter, real_dlsym
	DOOR	dlvsym, dlsym_filter_version, real_dlvsym
	OPENER	dlopen, dlopen_opening, real_dlopen
	OPENER	dlmopen, dlopen_opening_elsewhere, real_dlmopen
	OPENER	dlclose, dlopen_closing, real_dlclose
	.section .note.GNU-stack, "", %progbits
