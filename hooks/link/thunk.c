#include "hooks/link/thunk.h"

struct thunk thunks[THUNKS];
extern const char thunk_code[]; /* thunk.S */

void *thunk_address(size_t i)
{
	return (void *)(thunk_code + i * 16);
}
