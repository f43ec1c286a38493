/*
 * trampoline.S - a fixed pool of entries, so that no code is made at run time. Trampoline i hands trampolines[i].real
 * over as an aside (trampoline.h) and jumps to trampolines[i].entry; where nobody would look at the call, to the real one.
 * Until the first call has been told of, entry is trampoline_first, which finds the trampoline in r11 or x16.
 */

#include "agent/record/gate_bits.h"
#include "hooks/link/sizes.h"
#include "hooks/link/trampoline.inc"

	.text
	.globl	trampoline_code
	.hidden	trampoline_code
	.globl	trampoline_first
	.hidden	trampoline_first
	.hidden	trampolines
	.hidden	trampoline_called
	.hidden	gate
	.p2align 4
trampoline_code:
	.set	i, 0
	.rept	TRAMPOLINES
	WAY	trampoline_common
	.endr

	.p2align 4

#if defined(__x86_64__)

trampoline_common:
	.cfi_startproc
	leaq	(%r11, %r11, 2), %r11
	leaq	trampolines(%rip), %r10
	leaq	(%r10, %r11, 8), %r11
	movl	gate(%rip), %eax
	andl	16(%r11), %eax
	cmpl	$1 << GATE_BIT_STARTED, %eax
	jne	1f
	jmp	*(%r11)
1:
	movq	(%r11), %xmm0
	jmp	*8(%r11)
	.cfi_endproc

trampoline_first:
	.cfi_startproc
	endbr64
	FRAME_MAKE 80, 0
	ARGUMENTS_KEEP r11
	movq	%r11, %rdi
	call	trampoline_called
	movq	%rax, -72(%rbp)
	ARGUMENTS_BRING
	movq	-8(%rbp), %r10
	movq	(%r10), %xmm0
	movq	-72(%rbp), %r11
	FRAME_LEAVE
	jmp	*%r11
	.cfi_endproc

#elif defined(__aarch64__)

trampoline_common:
	.cfi_startproc
	adrp	x17, trampolines
	add	x17, x17, :lo12:trampolines
	add	x16, x16, x16, lsl #1
	add	x16, x17, x16, lsl #3
	adrp	x17, gate
	ldr	w17, [x17, :lo12:gate]
	ldr	w15, [x16, #16]
	and	w17, w17, w15
	eor	w17, w17, #1 << GATE_BIT_STARTED
	cbnz	w17, 1f
	ldr	x16, [x16]
	br	x16
1:
	ldr	d0, [x16]
	ldr	x17, [x16, #8]
	br	x17
	.cfi_endproc

trampoline_first:
	.cfi_startproc
	hint	#36			/* bti j */
	FRAME_MAKE 224, 0
	ARGUMENTS_KEEP x16
	mov	x0, x16
	bl	trampoline_called
	stur	x0, [x29, #-216]
	ARGUMENTS_BRING
	ldur	x17, [x29, #-216]
	FRAME_LEAVE
	br	x17
	.cfi_endproc

#endif
	.section .note.GNU-stack, "", %progbits
