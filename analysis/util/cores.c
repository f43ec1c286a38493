#include "analysis/util/cores.h"

#include <sched.h>

unsigned int cores_count(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n < 1 ? 1 : (unsigned int)n;
}
