/*
 * call_sites.S - the dormant path of a hook with several providers: on to the one that calls from this place go to, or to
 * the slow path. In C: call_site_get(). The exported function (hooks/capture/entrance.h) jumps here with its hook in eax and
 * its slow path below the stack pointer, where nobody writes; on aarch64 with the key in x16 and its slow path in x17.
 */
#include "hooks/link/sizes.h"

	.text
	.hidden	call_sites
	.globl	call_site_go
	.hidden	call_site_go
	.p2align 6
call_site_go:
	.cfi_startproc
#if defined(__x86_64__)
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
#elif defined(__aarch64__)
	adrp	x14, call_sites
	add	x14, x14, :lo12:call_sites
	and	x15, x30, #CALL_SITES - 1
	add	x14, x14, x15, lsl #4
	ldar	x15, [x14]
	cmp	x15, x16
	b.ne	1f
	add	x15, x14, #8
	ldar	x15, [x15]
	ldr	x14, [x14]
	cmp	x14, x16
	b.ne	1f
	br	x15
1:
	br	x17
#endif
	.cfi_endproc
	.section .note.GNU-stack, "", %progbits
