/* alone.c - a program without collectives. */
#include "tests/sims/cuda/train/group.h"

void group_start(void)
{
}

void group_collectives(int step)
{
	(void)step;
}

void group_end(void)
{
}
