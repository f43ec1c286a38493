/*
 * call_sites.S - the dormant path of a hook with several providers: on to the one that calls from this place go to, or to
 * the slow path. In C: call_site_get(). The exported function (hooks/capture/entrance.h) jumps here with its hook in eax and
 * its slow path below the stack pointer, where nobody writes.
 */
#if defined(__x86_64__)
#include "hooks/link/sizes.h"

	.text
	.hidden	call_sites
	.globl	call_site_go
	.hidden	call_site_go
	.p2align 6
call_site_go:
	.cfi_startproc
	movq	(%rsp), %r10
	shlq	$48, %rax
	orq	%r10, %rax
	leaq	call_sites(%rip), %r11
	andl	$CALL_SITES - 1, %r10d
	shlq	$4, %r10
	addq	%r11, %r10
	cmpq	%rax, (%r10)
	jne	1f
	movq	8(%r10), %r11
	cmpq	%rax, (%r10)
	jne	1f
	jmp	*%r11
1:
	jmp	*-8(%rsp)
	.cfi_endproc
#endif
	.section .note.GNU-stack, "", %progbits
