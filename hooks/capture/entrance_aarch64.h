/*
 * entrance_aarch64.h - the dormant path and the short way of launches (entrance.h) in aarch64's instructions. In C every argument is moved
 * aside before the first look at the gate, and those on the stack are copied.
 *
 * gcc has no naked functions here. What is to be a number in the code has to be said inside of a function: so each of ours stands in one
 * that is never called, and is put elsewhere. x9 to x17 are nobody's at a call.
 */
#pragma once

#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define FRAME_ENDS   ".cfi_endproc\n\t"
#define FRAME_BEGINS ".cfi_startproc\n\t"
#else
#define FRAME_ENDS
#define FRAME_BEGINS
#endif

#ifdef __ARM_FEATURE_BTI_DEFAULT
#define LANDS "hint #34\n\t" /* bti c */
#else
#define LANDS
#endif

/* In one line of the instruction cache. */
#define IN_ASSEMBLY(name, begins, code)							\
	FRAME_ENDS									\
	".pushsection .text.dormant, \"ax\", %%progbits\n\t"				\
	".p2align 6\n\t"								\
	".type " name ", %%function\n\t"						\
	begins										\
	name ":\n\t"									\
	FRAME_BEGINS									\
	LANDS										\
	code										\
	FRAME_ENDS									\
	".size " name ", .-" name "\n\t"						\
	".popsection\n\t"								\
	FRAME_BEGINS

#define SHORT_WAY_MAY_NAME								\
	[window] "i"(GATE_BIT_WINDOW), [clock] "i"(GATE_BIT_CLOCK), [time] "i"(GATE_BIT_TIME),	\
	[factor_0] "i"(HANDLES_FACTOR & 0xffff), [factor_1] "i"(HANDLES_FACTOR >> 16 & 0xffff),	\
	[factor_2] "i"(HANDLES_FACTOR >> 32 & 0xffff), [factor_3] "i"(HANDLES_FACTOR >> 48),	\
	SHORT_WAY_LOOKS_AT

/* As on x86-64, where it is told; here the gate's word is in x16, the real function in x17. What x86-64 orders by itself is asked for. */
#define SHORT_WAY_OF_LAUNCHES(table, matches_bit, ready, slow, go)			\
	"adrp x15, :gottprel:producer\n\t"						\
	"ldr x15, [x15, :gottprel_lo12:producer]\n\t"					\
	"mrs x14, tpidr_el0\n\t"							\
	"add x15, x15, x14\n\t"								\
	"ldr x14, [x15, #%c[ready]]\n\t"						\
	"cmp x14, x16\n\t"								\
	"b.ne 3f\n\t"									\
	ready										\
	"3:\n\t"									\
	"tbnz w16, #%c[window], 4f\n\t"							\
	"tbnz w16, #%c[time], 4f\n\t"							\
	"tbz w16, #%c[clock], 4f\n\t"							\
	"movz x15, #%c[factor_0]\n\t"							\
	"movk x15, #%c[factor_1], lsl #16\n\t"						\
	"movk x15, #%c[factor_2], lsl #32\n\t"						\
	"movk x15, #%c[factor_3], lsl #48\n\t"						\
	".if %c[kernel_first]\n\t"							\
	"mul x15, x15, x0\n\t"								\
	".else\n\t"									\
	"mul x15, x15, x1\n\t"								\
	".endif\n\t"									\
	"adrp x14, " table "\n\t"							\
	"add x14, x14, :lo12:" table "\n\t"						\
	"add x13, x14, #%c[mask]\n\t"							\
	"ldar x13, [x13]\n\t"								\
	"ldr x14, [x14, #%c[slots]]\n\t"						\
	"cbz x14, 4f\n\t"								\
	"and x15, x13, x15, lsr #%c[shift]\n\t"						\
	"add x14, x14, x15\n\t"								\
	"add x15, x14, #%c[alive]\n\t"							\
	"ldar x15, [x15]\n\t"								\
	"sub x15, x15, #1\n\t"								\
	".if %c[kernel_first]\n\t"							\
	"cmp x15, x0\n\t"								\
	".else\n\t"									\
	"cmp x15, x1\n\t"								\
	".endif\n\t"									\
	"b.ne 4f\n\t"									\
	"ldr x14, [x14, #%c[a]]\n\t"							\
	"adrp x15, launch_cache_stamp\n\t"						\
	"ldr x15, [x15, :lo12:launch_cache_stamp]\n\t"					\
	"eor x15, x15, x14, lsr #" TEXT_OF(matches_bit) "\n\t"				\
	"tbnz w15, #0, 4f\n\t"								\
	go										\
	"4:\n\t"									\
	"b " slow "\n\t"

#define DORMANT(ret, sym, params, args, interests)					\
	static NOINLINE __attribute__((used)) void dormant_##sym(void)			\
	{										\
		__asm__ volatile(IN_ASSEMBLY(#sym,					\
			".globl " #sym "\n\t"						\
			".globl own_" #sym "\n\t"					\
			".hidden own_" #sym "\n\t"					\
			".type own_" #sym ", %%function\n\t"				\
			"own_" #sym ":\n\t",						\
			"adrp x16, gate\n\t"						\
			"ldr x16, [x16, :lo12:gate]\n\t"				\
			"adrp x17, hook_slots+%c[real]\n\t"				\
			"ldr x17, [x17, :lo12:hook_slots+%c[real]]\n\t"			\
			"tbz w16, #%c[started], 1f\n\t"					\
			"movz w15, #%c[interests_0], lsl #16\n\t"			\
			".if %c[interests_1]\n\t"					\
			"movk w15, #%c[interests_1]\n\t"				\
			".endif\n\t"							\
			"tst w16, w15\n\t"						\
			"b.ne 1f\n\t"							\
			"cbz x17, 2f\n\t"						\
			"br x17\n"							\
			"2:\n\t"							\
			"mov x16, x30\n\t" /* a key of call_sites.h */			\
			"movk x16, #%c[hook], lsl #48\n\t"				\
			"adrp x17, slow_" #sym "\n\t"					\
			"add x17, x17, :lo12:slow_" #sym "\n\t"				\
			"b call_site_go\n"						\
			"1:\n\t"							\
			".if %c[has_short]\n\t"						\
			SHORT_WAY("cbz x17, 5f\n\t"					\
				  "b short_" #sym "\n"					\
				  "5:\n\t"						\
				  "b " WAY_FROM_HERE #sym "\n",				\
				  "slow_" #sym,						\
				  "cbz x17, 2b\n\t"					\
				  "br x17\n")						\
			".else\n\t"							\
			"b slow_" #sym "\n\t"						\
			".endif\n\t")							\
			: : [real] "i"(HOOK_##sym * sizeof(struct hook_slot) +		\
				offsetof(struct hook_slot, real)),			\
			    [started] "i"(GATE_BIT_STARTED), [hook] "i"(HOOK_##sym),	\
			    [interests_0] "i"((uint32_t)(interests) >> 16),		\
			    [interests_1] "i"((interests) & 0xffff),			\
			    [has_short] "i"(!!((interests) & ROW_SHORT)),			\
			    [kernel_first] "i"(!!((interests) & ROW_KERNEL_FIRST)),	\
			    SHORT_WAY_MAY_NAME);					\
	}

/* Where a trampoline comes in: the real function is in d0. */
#define TRAMPOLINE_IN(ret, sym, params, interests)					\
	static NOINLINE __attribute__((used)) void trampoline_in_##sym(void)		\
	{										\
		__asm__ volatile(".globl trampoline_" #sym "\n\t"			\
			".hidden trampoline_" #sym "\n\t"				\
			".if %c[has_short]\n\t"						\
			IN_ASSEMBLY("trampoline_" #sym, "",				\
			"fmov x17, d0\n\t"						\
			"adrp x16, gate\n\t"						\
			"ldr x16, [x16, :lo12:gate]\n\t"				\
			SHORT_WAY("b " WAY_GIVEN #sym "\n", "through_" #sym, "br x17\n"))	\
			".else\n\t"							\
			".set trampoline_" #sym ", through_" #sym "\n\t"		\
			".endif\n\t"							\
			: : [has_short] "i"(!!((interests) & ROW_SHORT)),			\
			    [kernel_first] "i"(!!((interests) & ROW_KERNEL_FIRST)),	\
			    SHORT_WAY_MAY_NAME);					\
	}
