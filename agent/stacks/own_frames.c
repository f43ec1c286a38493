#include "agent/stacks/own_frames.h"
#include <stdatomic.h>
#include "agent/os/elf.h"
#include "agent/stacks/eh_frame.h"

static uintptr_t begin, end; /* of this library */
#if defined(__x86_64__)
static const uint8_t *table; /* of how its functions are left; NULL: none that is understood */
#endif

static bool find_us(const struct elf_object *o, void *unused)
{
	(void)unused;
	if (!elf_is_us(o))
		return false;
	begin = o->first;
	end = o->last;
#if defined(__x86_64__)
	for (unsigned int i = 0; i < o->header_count; i++)
		if (o->headers[i].p_type == PT_GNU_EH_FRAME)
			table = eh_frame_table((const void *)(o->base + o->headers[i].p_vaddr));
#endif
	return true;
}

void own_frames_find(void)
{
	if (!end)
		elf_walk(find_us, NULL);
}

bool own_frames_has(uintptr_t pc)
{
	return pc >= begin && pc < end;
}

#if defined(__aarch64__)

/* xpaclri, which older processors take for no operation. */
uintptr_t own_frames_address(uintptr_t pc)
{
	register uintptr_t link __asm__("x30") = pc;

	__asm__("hint #7"
		: "+r"(link));
	return link;
}

/* Each of our functions that calls another has a frame record there: the compiler's default for this architecture. */
bool own_frames_leave(struct stack_registers *r, struct stack_reach *reach)
{
	uintptr_t record[2];

	if (r->fp < r->sp || !stack_memory_read(reach, r->fp, record))
		return false;
	*r = (struct stack_registers){ own_frames_address(record[1]), r->fp + sizeof(record), record[0] };
	reach->sp = r->sp;
	return true;
}

#elif defined(__x86_64__)

#define RULES_MOST 512 /* places in our code that call others; what has no room is found out again */

/* Of the place in our library, in the high half: offset, and where the frame pointer is. */
static _Atomic uint64_t rules[RULES_MOST];

#define FROM_FP	   (1u << 15)

static bool fits(const struct frame_rule *r)
{
	return !r->unknown && r->offset >= 0 && r->offset < (int32_t)FROM_FP && r->saved <= 0 && r->saved > INT16_MIN;
}

static bool rule_of(uintptr_t pc, struct frame_rule *r)
{
	uint32_t place = (uint32_t)(pc - begin);
	_Atomic uint64_t *known = &rules[place * 0x9E3779B9u >> 23];
	uint64_t word = atomic_load_explicit(known, memory_order_relaxed);

	if (word >> 32 == place) {
		*r = (struct frame_rule){ .offset = (int32_t)(word >> 16 & (FROM_FP - 1)), .from_fp = word >> 16 & FROM_FP, .saved = (int16_t)word };
		return true;
	}
	*r = eh_frame_rule(table, pc - 1); /* in the call, which may be a function's last instruction */
	if (!fits(r))
		return false;
	word = (uint64_t)place << 32 | ((uint64_t)r->offset | (r->from_fp ? FROM_FP : 0)) << 16 | (uint16_t)r->saved;
	atomic_store_explicit(known, word, memory_order_relaxed);
	return true;
}

uintptr_t own_frames_address(uintptr_t pc)
{
	return pc;
}

bool own_frames_leave(struct stack_registers *r, struct stack_reach *reach)
{
	uintptr_t cfa, top[2], saved[2] = { r->fp };
	struct frame_rule rule;

	if (!rule_of(r->pc, &rule))
		return false;
	cfa = (rule.from_fp ? r->fp : r->sp) + (uintptr_t)rule.offset;
	if (cfa <= r->sp || !stack_memory_read(reach, cfa - sizeof(top), top))
		return false;
	if (rule.saved && !stack_memory_read(reach, cfa + (uintptr_t)(intptr_t)rule.saved, saved))
		return false;
	*r = (struct stack_registers){ top[1], cfa, saved[0] };
	reach->sp = cfa;
	return true;
}
#endif
