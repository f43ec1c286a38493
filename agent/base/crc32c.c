/* crc32c.c - by instruction where the processor has one, by table elsewhere. */
#include "agent/base/crc32c.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/* The polynomial is linear: an entry is the sum of the entries of its bits. */
#define ENTRY(i)                                                   \
	(((i)&1 ? 0xf26b8303u : 0) ^ ((i)&2 ? 0xe13b70f7u : 0) ^   \
	 ((i)&4 ? 0xc79a971fu : 0) ^ ((i)&8 ? 0x8ad958cfu : 0) ^   \
	 ((i)&16 ? 0x105ec76fu : 0) ^ ((i)&32 ? 0x20bd8edeu : 0) ^ \
	 ((i)&64 ? 0x417b1dbcu : 0) ^ ((i)&128 ? 0x82f63b78u : 0))
#define ENTRIES4(i)  ENTRY(i), ENTRY((i) + 1), ENTRY((i) + 2), ENTRY((i) + 3)
#define ENTRIES16(i) ENTRIES4(i), ENTRIES4((i) + 4), ENTRIES4((i) + 8), ENTRIES4((i) + 12)
#define ENTRIES64(i) ENTRIES16(i), ENTRIES16((i) + 16), ENTRIES16((i) + 32), ENTRIES16((i) + 48)

static const uint32_t table[256] = {
	ENTRIES64(0), ENTRIES64(64), ENTRIES64(128), ENTRIES64(192)
};

static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t size)
{
	while (size--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 0xff];
	return crc;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>

/* Asks the processor itself: __builtin_cpu_supports() needs a constructor of libgcc to have run. */
static bool have_instruction(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_2;
}

__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t crc, const uint8_t *p, size_t size)
{
	uint64_t wide = crc, word;

	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&word, p, 8);
		wide = _mm_crc32_u64(wide, word);
	}
	return by_table((uint32_t)wide, p, size);
}

#elif defined(__aarch64__)
#include <sys/auxv.h>

static bool have_instruction(void)
{
	return getauxval(AT_HWCAP) & 1ul << 7; /* HWCAP_CRC32 */
}

static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t size)
{
	uint64_t word;

	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&word, p, 8);
		/* In assembly, as gcc and clang name the intrinsic differently without -march. */
		__asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1"
			: "+r"(crc)
			: "r"(word));
	}
	return by_table(crc, p, size);
}

#else
static bool have_instruction(void)
{
	return false;
}

static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t size)
{
	return by_table(crc, p, size);
}
#endif

uint32_t crc32c(uint32_t crc, const void *data, size_t size)
{
	enum { UNKNOWN,
	       NO,
	       YES };
	static _Atomic int known;
	int have = atomic_load_explicit(&known, memory_order_relaxed);

	if (have == UNKNOWN) {
		have = have_instruction() ? YES : NO;
		atomic_store_explicit(&known, have, memory_order_relaxed);
	}
	return ~(have == YES ? by_instruction(~crc, data, size) : by_table(~crc, data, size));
}
