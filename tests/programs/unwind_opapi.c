/* unwind_opapi.c - both phases of one operator, from which the program's callback may not come back. */
#include <stdint.h>

void opapi_calls_back(void (*callback)(void));
int aclnnLeft(void *workspace, uint64_t size, void *executor, void *stream);
int aclnnLeftGetWorkspaceSize(int a, int b, int c, int d, int e, int f, int g, uint64_t *size, void **executor);

static void (*back)(void);
static char plan;

void opapi_calls_back(void (*callback)(void))
{
	back = callback;
}

int aclnnLeft(void *workspace, uint64_t size, void *executor, void *stream)
{
	if (back)
		back();
	return workspace == &plan && size == 7 && executor == &plan && !stream ? 0 : 161002;
}

int aclnnLeftGetWorkspaceSize(int a, int b, int c, int d, int e, int f, int g, uint64_t *size, void **executor)
{
	if (back)
		back();
	*size = 7;
	*executor = &plan;
	return a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 7 ? 0 : 161002;
}
