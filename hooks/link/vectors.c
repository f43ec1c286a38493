#include "hooks/link/vectors.h"
#include <stdbool.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

int vectors_width, vectors_spare;

/* As far as the processor has it, and the system keeps it for a thread (XCR0): Intel SDM, volume 1, 13.3. */
static void ask(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d, kept, high;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
		return;
	__asm__("xgetbv"
		: "=a"(kept), "=d"(high)
		: "c"(0));
	if ((kept & 0x06) != 0x06)
		return;
	vectors_width = 1;
	if ((kept & 0xe6) != 0xe6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX512F))
		return;
	vectors_width = 2;
	vectors_spare = !!(b & bit_AVX512VL);
#endif
}

/* Two threads at once find the same. */
void vectors_ask(void)
{
	static _Atomic bool asked;

	if (asked)
		return;
	ask();
	asked = true;
}
