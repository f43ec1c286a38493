#include "agent/stacks/frame_pointers.h"
#include <string.h>
#include "agent/stacks/own_frames.h"
#include "agent/stacks/stack_memory.h"

#define HOPS_MOST (2 * STACK_FRAMES) /* ours between them included */
#define ALIGNED	  16		     /* bytes: the stack at a call, and so a record that is made first, by both architectures' calling conventions */

/* Of what code calls, by the bytes in front of where it returns to. */
#if defined(__aarch64__)
#define LONGEST_CALL 4

/* bl; blr and its forms for signed pointers. */
static bool is_call(const uint8_t *end)
{
	uint32_t code;

	memcpy(&code, end - sizeof(code), sizeof(code));
	return (code & 0xfc000000) == 0x94000000 || (code & 0xfefff000) == 0xd63f0000;
}

#elif defined(__x86_64__)
#define LONGEST_CALL 8 /* one through memory, with its prefix */

/* call rel32; call r/m64 of any length. */
static bool is_call(const uint8_t *end)
{
	if (end[-5] == 0xe8)
		return true;
	for (int i = 2; i < LONGEST_CALL; i++)
		if (end[-i] == 0xff && (end[1 - i] & 0x38) == 0x10)
			return true;
	return false;
}
#endif

bool frame_pointers_behind_call(uintptr_t pc)
{
	uint8_t code[LONGEST_CALL];

	return pc > LONGEST_CALL && stack_memory_copy((const void *)(pc - LONGEST_CALL), code, LONGEST_CALL) && is_call(code + LONGEST_CALL);
}

/* False: there is no frame, which each but the outermost has further up than the one before. */
static bool leave(struct stack_registers *r, struct stack_reach *reach)
{
	uintptr_t record[2];

	if (r->fp % ALIGNED || r->fp < r->sp || !stack_memory_read(reach, r->fp, record))
		return false;
	*r = (struct stack_registers){ own_frames_address(record[1]), r->fp + sizeof(record), record[0] };
	reach->sp = r->sp;
	return r->pc;
}

/* The frame of this function, which is ours. */
void __attribute__((noinline)) frame_pointers_read(struct native_stack *s)
{
	uintptr_t *record = __builtin_frame_address(0);
	struct stack_registers r = { own_frames_address(record[1]), (uintptr_t)(record + 2), record[0] };
	struct stack_reach reach = stack_memory_reach(r.sp);
	bool more = true;

	for (unsigned int i = 0; more && i < HOPS_MOST && s->count < STACK_FRAMES; i++) {
		if (own_frames_has(r.pc)) {
			more = own_frames_leave(&r, &reach);
			continue;
		}
		native_stack_add(s, r.pc);
		more = leave(&r, &reach);
	}
	s->truncated = more;
}
