#include "hooks/capture/markers/levels.h"
#include "agent/record/record.h"

#define EXACT	  ((1ull << 53) - 1) /* JSON has these */
#define OF_LEVELS (1ull << 52)

uint64_t level_key(const void *domain)
{
	uint64_t h = (uintptr_t)&producer * 0x9E3779B97F4A7C15ull + (uintptr_t)domain * 0xC2B2AE3D27D4EB4Full;

	return (h ^ h >> 32) | 1;
}

uint64_t level_number(const void *domain, int level)
{
	return level < 0 ? 0 : ((level_key(domain) + (unsigned int)level) * 0x9E3779B97F4A7C15ull >> 11 & EXACT) | OF_LEVELS;
}
