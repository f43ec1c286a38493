#include "hooks/capture/runtime/arrays.h"
#include "agent/format/event.h"

unsigned int copy_direction(uint32_t way)
{
	static const unsigned char directions[] = { DIR_H2H, DIR_H2D, DIR_D2H, DIR_D2D };

	return way < sizeof(directions) ? directions[way] : DIR_OTHER;
}

static uint64_t at_least_1(size_t n)
{
	return n ? n : 1;
}

uint64_t array_bytes(uint64_t element, const size_t *dims, unsigned int levels)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < levels && i < 64; i++)
		sum += element * at_least_1(dims[0] >> i) * at_least_1(dims[1] >> i) * at_least_1(dims[2] >> i);
	return sum;
}
