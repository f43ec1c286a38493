#include "hooks/hip/tracking/last_error.h"
#include "hooks/hip/abi/abi.h"
#include "hooks/link/resolve.h"

int last_error_now(void)
{
	static _Atomic(void *) cache;
	hipError_t (*peek)(void) = hook_vendor(&cache, "hipPeekAtLastError");

	return peek ? peek() : 0;
}

/* An error of the program's that was there before cannot be set again: then it is left as it is. */
void last_error_was(int before)
{
	static _Atomic(void *) cache;
	hipError_t (*clear)(void) = hook_vendor(&cache, "hipGetLastError");

	if (clear && !before && last_error_now())
		clear();
}
