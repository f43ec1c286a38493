/*
 * trampoline.S - a fixed pool of entries, so that no code is made at run time. Trampoline i hands trampolines[i].real
 * over as an aside (trampoline.h) and jumps to trampolines[i].entry.
 */
#define TRAMPOLINES	4096		/* as in trampoline.h */

#include "hooks/link/trampoline.inc"

	.text
	.globl	trampoline_code
	.hidden	trampoline_code
	.hidden	trampolines
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
	shlq	$4, %r11
	leaq	trampolines(%rip), %r10
	movq	(%r10, %r11), %xmm0
	jmp	*8(%r10, %r11)
	.cfi_endproc

#elif defined(__aarch64__)

trampoline_common:
	.cfi_startproc
	adrp	x17, trampolines
	add	x17, x17, :lo12:trampolines
	add	x16, x17, x16, lsl #4
	ldr	d0, [x16]
	ldr	x16, [x16, #8]
	br	x16
	.cfi_endproc

#endif
	.section .note.GNU-stack, "", %progbits
