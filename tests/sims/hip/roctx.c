/* roctx.c - libroctx64: levels by thread from 0, numbers from 1. */
#include <stdint.h>

#pragma GCC visibility push(hidden)
void do_roctxMarkA(const char *message);
int do_roctxRangePushA(const char *message);
int do_roctxRangePop(void);
uint64_t do_roctxRangeStartA(const char *message);
void do_roctxRangeStop(uint64_t id);
extern __thread int sim_per_thread;
#pragma GCC visibility pop

__thread int sim_per_thread;
static __thread int level;

void do_roctxMarkA(const char *message)
{
	(void)message;
}

int do_roctxRangePushA(const char *message)
{
	(void)message;
	return level++;
}

int do_roctxRangePop(void)
{
	return level ? --level : -1;
}

uint64_t do_roctxRangeStartA(const char *message)
{
	static _Atomic uint64_t count;

	(void)message;
	return ++count;
}

void do_roctxRangeStop(uint64_t id)
{
	(void)id;
}
