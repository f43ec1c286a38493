/*
 * roctx_marks.c - ranges and marks of roctx, as PyTorch's torch.cuda.nvtx makes them on ROCm: each step is a range, with a nested one,
 * one that another thread ends, and a mark. It ends with 1 if a call answers anything but what the library answers alone.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void roctxMarkA(const char *message);
int roctxRangePushA(const char *message);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *message);
void roctxRangeStop(uint64_t id);

static void wanted(long answer, long other)
{
	if (answer != other)
		exit(1);
}

static void *stop(void *id)
{
	roctxRangeStop((uint64_t)(uintptr_t)id);
	return NULL;
}

int main(int argc, char **argv)
{
	char text[32];
	pthread_t thread;
	uint64_t id;

	wanted(roctxRangePop(), -1);
	for (int step = 1; step <= (argc > 1 ? atoi(argv[1]) : 3); step++) {
		snprintf(text, sizeof(text), "step %d", step);
		wanted(roctxRangePushA(text), 0);
		wanted(roctxRangePushA("forward"), 1);
		roctxMarkA("inside");
		wanted(roctxRangePop(), 1);
		id = roctxRangeStartA("aside");
		wanted((long)id, step);
		pthread_create(&thread, NULL, stop, (void *)(uintptr_t)id);
		pthread_join(thread, NULL);
		wanted(roctxRangePop(), 0);
	}
	return 0;
}
