#include "hooks/link/trampoline.h"

struct trampoline trampolines[TRAMPOLINES];
extern const char trampoline_code[]; /* trampoline.S */

void *trampoline_address(size_t i)
{
	return (void *)(trampoline_code + i * 16);
}
