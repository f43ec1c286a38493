#include "hooks/capture/memory.h"
#include "agent/record/gate.h"

void memory_new(struct handles *of, const void *address, uint64_t bytes)
{
	if (gate_may_record())
		handles_put(of, (uintptr_t)address, bytes, 0);
}

uint64_t memory_end(struct handles *of, const void *address)
{
	struct handle_slot *s = handles_get(of, (uintptr_t)address);
	uint64_t bytes = s ? atomic_load(&s->a) : 0;

	if (s)
		handles_forget(s);
	return bytes;
}

uint64_t memory_sum(const size_t *sizes, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += sizes[i];
	return sum;
}
