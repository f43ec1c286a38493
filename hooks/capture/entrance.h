/*
 * entrance.h - the ways into a row's function: the exported one, which while nobody wants the call is a load, a test and a jump; the slow
 * path behind it; and where a trampoline comes in. Each ends in body_<symbol>(), which wrap.h makes.
 */
#pragma once
#include "agent/record/handles.h"
#include "agent/record/producer.h"
#include "hooks/link/call_sites.h"
#include "hooks/link/resolve.h"
#include "hooks/link/trampoline.h"
#include "hooks/capture/words.h"

#define LIST(...) __VA_OPT__(, ) __VA_ARGS__

/*
 * An exception of the program's callbacks may pass through us, or a cancellation: C has no way of being told,
 * the unwinder has.
 */
#define UNWINDS	__asm__ volatile(".cfi_personality 0x1b, record_unwound")

/* Where a vendor's rows with a short way have none where several libraries define them. */
#ifndef WAY_FROM_HERE
#define WAY_FROM_HERE "slow_"
#define WAY_GIVEN     "through_"
#endif

/* A function that is told where it is called from, by CALLER: in assembly it is jumped to, and returns to our caller. */
#if (defined(__x86_64__) && !defined(__ILP32__)) || defined(__aarch64__)
#define FROM_HERE(name, params) name params
#define CALLER	__builtin_return_address(0)
#define OF_TRAMPOLINES(...) __VA_ARGS__ /* they have a short way of their own */
#else
#define FROM_HERE(name, params) name(aside caller_aside LIST params)
#define CALLER	aside_address(caller_aside)
#define OF_TRAMPOLINES(...)
#endif
/* own_<symbol>: the same function, whoever else exports that name. */
#if defined(__aarch64__)
#define OWN(ret, sym, params)
#else
#define OWN(ret, sym, params) extern ret own_##sym params __attribute__((alias(#sym), visibility("hidden")));
#endif
#define TEXT_OF(macro)	TEXT_OF_(macro)
#define TEXT_OF_(text)	#text

/* Of what a short way looks at: the thread's word, a vendor's table of handles, a handle in it. */
#define SHORT_WAY_LOOKS_AT								\
	[ready] "i"(offsetof(struct producer, ready)),					\
	[slots] "i"(offsetof(struct handles, slots)),					\
	[mask] "i"(offsetof(struct handles, mask)),					\
	[shift] "i"(HANDLES_SHIFT),							\
	[alive] "i"(offsetof(struct handle_slot, alive)),				\
	[a] "i"(offsetof(struct handle_slot, a))

/*
 * The dormant path. A compiler that is told to pass nine arguments on copies those on the stack over
 * themselves, here and again in the slow path; so where we can say it in five lines we do. The
 * registers used are nobody's at a call. In one line of the instruction cache: the same eight
 * instructions cost twice as much across two.
 */
#if defined(__aarch64__)
#include "hooks/capture/entrance_aarch64.h"
#elif defined(__x86_64__) && !defined(__ILP32__)
/* What a vendor's SHORT_WAY asks of the gate and of a table of handles. */
#define SHORT_WAY_MAY_NAME								\
	[window_or_clock] "i"(GATE_WINDOW | GATE_CLOCK | GATE_TIME), [clock] "i"(GATE_CLOCK),	\
	[factor] "i"(HANDLES_FACTOR), SHORT_WAY_LOOKS_AT
/*
 * The short way of launches, whose kernel is in a vendor's table: between windows only the step clock is interested in a launch,
 * and only in one that is not like the last, by the bit of the table's word that says whether a kernel: source waits for it. The
 * kernel is the first argument (ROW_KERNEL_FIRST) or the second. handles_peek() in other words. ready: what is done where the
 * thread has a ring for this word of the gate; go: where nobody would look at the launch.
 */
#define SHORT_WAY_OF_LAUNCHES(table, matches_bit, ready, slow, go)			\
	"movq gate(%%rip), %%rax\n\t"							\
	"movq producer@gottpoff(%%rip), %%r10\n\t"					\
	"cmpq %%rax, %%fs:%c[ready](%%r10)\n\t"						\
	"jne 3f\n\t"									\
	ready										\
	"3:\n\t"									\
	"andl %[window_or_clock], %%eax\n\t"						\
	"cmpl %[clock], %%eax\n\t"							\
	"jne " slow "\n\t"								\
	"movabsq %[factor], %%rax\n\t"							\
	".if %c[kernel_first]\n\t"							\
	"imulq %%rdi, %%rax\n\t"							\
	".else\n\t"									\
	"imulq %%rsi, %%rax\n\t"							\
	".endif\n\t"									\
	"shrq %[shift], %%rax\n\t"							\
	"andq " table "+%c[mask](%%rip), %%rax\n\t"					\
	"movq " table "+%c[slots](%%rip), %%r10\n\t"					\
	"testq %%r10, %%r10\n\t"							\
	"je " slow "\n\t"								\
	"addq %%rax, %%r10\n\t"								\
	".if %c[kernel_first]\n\t"							\
	"leaq 1(%%rdi), %%rax\n\t"							\
	".else\n\t"									\
	"leaq 1(%%rsi), %%rax\n\t"							\
	".endif\n\t"									\
	"cmpq %%rax, %c[alive](%%r10)\n\t"						\
	"jne " slow "\n\t"								\
	"movq %c[a](%%r10), %%rax\n\t"							\
	"shrq $" TEXT_OF(matches_bit) ", %%rax\n\t"					\
	"xorl launch_cache_stamp(%%rip), %%eax\n\t"					\
	"testb $1, %%al\n\t"								\
	"jne " slow "\n\t"								\
	go
#define DORMANT(ret, sym, params, args, interests)					\
	EXPORT __attribute__((naked, aligned(64))) BARE ret sym params				\
	{										\
		__asm__("movl gate(%%rip), %%eax\n\t"					\
			"movq hook_slots+%c0(%%rip), %%r11\n\t"				\
			"andl %1, %%eax\n\t"						\
			"cmpl %2, %%eax\n\t"						\
			".if %c3\n\t"							\
			"jne 1f\n\t"							\
			".else\n\t"							\
			"jne slow_" #sym "\n\t"						\
			".endif\n\t"							\
			"testq %%r11, %%r11\n\t"					\
			"je 2f\n\t"							\
			"jmp *%%r11\n"							\
			"2:\n\t"								\
			"leaq slow_" #sym "(%%rip), %%r11\n\t"				\
			"movl %[hook], %%eax\n\t"					\
			"movq %%r11, -8(%%rsp)\n\t"					\
			"jmp call_site_go\n\t"						\
			".if %c3\n"							\
			"1:\n\t"								\
			SHORT_WAY("testq %%r11, %%r11\n\t"				\
				  "jne short_" #sym "\n\t"				\
				  "jmp " WAY_FROM_HERE #sym "\n", "slow_" #sym,	\
				  "testq %%r11, %%r11\n\t"				\
				  "je 2b\n\t"						\
				  "jmp *%%r11\n\t")					\
			".endif"							\
			: : "i"(HOOK_##sym * sizeof(struct hook_slot) +			\
				offsetof(struct hook_slot, real)),			\
			    "i"((interests) | GATE_STARTED), "i"(GATE_STARTED),		\
			    "i"((interests) & ROW_SHORT), [hook] "i"(HOOK_##sym),	\
			    [kernel_first] "i"(!!((interests) & ROW_KERNEL_FIRST)),	\
			    SHORT_WAY_MAY_NAME);					\
	}
/* Where a trampoline comes in: the real function is in xmm0. */
#define TRAMPOLINE_IN(ret, sym, params, interests)					\
	__attribute__((naked)) BARE ret trampoline_##sym(aside given LIST params)		\
	{										\
		__asm__(".if %c0\n\t"							\
			"movq %%xmm0, %%r11\n\t"					\
			SHORT_WAY("jmp " WAY_GIVEN #sym "\n", "through_" #sym, "jmp *%%r11\n\t")	\
			".endif\n\t"							\
			"jmp through_" #sym							\
			: : "i"((interests) & ROW_SHORT),				\
			    [kernel_first] "i"(!!((interests) & ROW_KERNEL_FIRST)),	\
			    SHORT_WAY_MAY_NAME);					\
	}
#else
#define TRAMPOLINE_IN(ret, sym, params, interests)					\
	ret trampoline_##sym(aside given LIST params) __attribute__((alias("through_" #sym)));
#define DORMANT(ret, sym, params, args, interests)					\
	extern ret short_##sym params __attribute__((weak));				\
	extern ret FROM_HERE(short_here_##sym, params) __attribute__((weak));		\
	EXPORT ret sym params								\
	{										\
		ret (*real) params = hook_real(HOOK_##sym);				\
											\
		if (LIKELY(gate_shut(interests))) {						\
			if (UNLIKELY(!real))						\
				real = call_site_get(HOOK_##sym, __builtin_return_address(0)); \
			if (LIKELY(real))						\
				return real args;					\
		}									\
		if ((interests) & ROW_SHORT && producer.ready == gate_load()) {			\
			if (hook_real(HOOK_##sym))						\
				return short_##sym args;				\
			if (short_here_##sym)						\
				return short_here_##sym(aside_of(__builtin_return_address(0)) LIST args); \
		}									\
		return slow_##sym(aside_of(__builtin_return_address(0)) LIST args);	\
	}
#endif

/* The exported function, and the slow path behind it. */
#define ENTRANCE(ret, sym, params, args, capture, missing)				\
	EXPORT ret sym params;								\
	static __attribute__((noinline, used)) ret FROM_HERE(slow_##sym, params)	\
	{										\
		const void *caller = CALLER;						\
		UNWINDS;								\
		ret (*real) params = hook_real(HOOK_##sym);				\
											\
		if (UNLIKELY(!real || !gate_load()))					\
			real = hook_resolve(HOOK_##sym, caller);			\
		if (UNLIKELY(!real)) {							\
			missing;							\
		}									\
		return body_##sym(real, caller LIST args);				\
	}										\
	DORMANT(ret, sym, params, args, OPENS_##capture)					\
	OWN(ret, sym, params)

/* Both, and the way in for trampolines of a second provider, who reads what opens it. */
#define FUNCTIONS(ret, sym, params, args, capture, missing)				\
	ENTRANCE(ret, sym, params, args, capture, missing)				\
	extern const uint32_t opens_##sym OURS;						\
	const uint32_t opens_##sym = (OPENS_##capture) | GATE_STARTED;		\
	static __attribute__((noinline, used)) ret through_##sym(aside given LIST params)	\
	{										\
		ret (*real) params = aside_address(given);				\
											\
		UNWINDS;								\
		if (UNLIKELY(!gate_load()))						\
			hook_given_again(HOOK_##sym, real);				\
		producer.provider = real;						\
		return body_##sym(real, __builtin_return_address(0) LIST args);	\
	}										\
	ret trampoline_##sym(aside given LIST params);					\
	TRAMPOLINE_IN(ret, sym, params, OPENS_##capture)
