#include "agent/stacks/frame_pointers.h"
#include <string.h>
#include "agent/os/safe_read.h"
#include "agent/stacks/own_frames.h"
#include "agent/stacks/stack_memory.h"

#define HOPS_MOST (2 * STACK_FRAMES) /* ours between them included */

#if defined(__aarch64__)

/* A return address may be signed: xpaclri, which older processors take for no operation. */
static uintptr_t unsigned_address(uintptr_t pc)
{
	register uintptr_t link __asm__("x30") = pc;

	__asm__("hint #7"
		: "+r"(link));
	return link;
}

/* bl; blr and its forms for signed pointers. */
bool frame_pointers_behind_call(uintptr_t pc)
{
	uint32_t code;

	if (pc % sizeof(code) || !safe_read((const void *)(pc - sizeof(code)), sizeof(code)))
		return false;
	memcpy(&code, (const void *)(pc - sizeof(code)), sizeof(code));
	return (code & 0xfc000000) == 0x94000000 || (code & 0xfefff000) == 0xd63f0000;
}

#elif defined(__x86_64__)

static uintptr_t unsigned_address(uintptr_t pc)
{
	return pc;
}

#define LONGEST_CALL 8 /* bytes: of one through memory, with its prefix */

/* call rel32; call r/m64 of any length. */
bool frame_pointers_behind_call(uintptr_t pc)
{
	const uint8_t *end = (const uint8_t *)pc;

	if (pc < LONGEST_CALL || !safe_read(end - LONGEST_CALL, LONGEST_CALL))
		return false;
	if (end[-5] == 0xe8)
		return true;
	for (int i = 2; i < LONGEST_CALL; i++)
		if (end[-i] == 0xff && (end[1 - i] & 0x38) == 0x10)
			return true;
	return false;
}
#endif

/* False: there is no frame, which each but the outermost has further up than the one before. */
static bool leave(struct stack_registers *r)
{
	const uintptr_t *record = (const uintptr_t *)r->fp;

	if (r->fp < r->sp || r->fp % sizeof(*record) || !stack_memory_has(r->fp, 2))
		return false;
	*r = (struct stack_registers){ unsigned_address(record[1]), r->fp + 2 * sizeof(*record), record[0] };
	return r->pc;
}

/* The frame of this function, which is ours. */
void __attribute__((noinline)) frame_pointers_read(struct native_stack *s)
{
	uintptr_t *record = __builtin_frame_address(0);
	struct stack_registers r = { unsigned_address(record[1]), (uintptr_t)(record + 2), record[0] };
	bool more = true;

	stack_memory_begin_up(r.sp);
	for (unsigned int i = 0; more && i < HOPS_MOST && s->count < STACK_FRAMES; i++) {
		if (own_frames_has(r.pc)) {
			more = own_frames_leave(&r);
			continue;
		}
		native_stack_add(s, r.pc);
		more = leave(&r);
	}
	s->truncated = more;
}
