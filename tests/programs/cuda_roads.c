/*
 * cuda_roads.c - one kernel, launched in turn by the linked function, by the library's own (dlsym) and by that of a second copy of it in
 * another namespace (dlmopen). Says how many of 60 launches each copy was asked for. The library (LIBRARY) counts them; a TOOL that is
 * preloaded passes the linked ones on, and says how many there were.
 */
#include "tests/programs/cuda_launched.h"
#include <dlfcn.h>
#include <stdio.h>

static int launches;

#if defined(LIBRARY)
int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream)
{
	launches++;
	return 0;
}

void **__cudaRegisterFatBinary(void *fat)
{
	return fat;
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name, int threads, void *a, void *b, void *c, void *d, int *e)
{
}

int launched(void)
{
	return launches;
}
#elif defined(TOOL)
int cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream)
{
	static __typeof__(&cudaLaunchKernel) next;

	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "cudaLaunchKernel");
	launches++;
	return next(function, grid, block, arguments, shared, stream);
}

__attribute__((destructor)) static void say(void)
{
	if (launches) /* it is in other programs, too */
		printf("the tool saw %d\n", launches);
}
#else
int main(void)
{
	static char stub[16];
	const dim3 one = { 1, 1, 1 };
	void *library = dlopen("libcudart.so.13", RTLD_NOW), *beside = dlmopen(LM_ID_NEWLM, "libcudart.so.13", RTLD_NOW);
	__typeof__(&cudaLaunchKernel) roads[3] = { cudaLaunchKernel };
	int (*theirs)(void);

	if (!library || !beside)
		return 1;
	roads[1] = (__typeof__(roads[0]))dlsym(library, "cudaLaunchKernel");
	roads[2] = (__typeof__(roads[0]))dlsym(beside, "cudaLaunchKernel");
	theirs = (int (*)(void))dlsym(beside, "launched");
	__cudaRegisterFatBinary(stub);
	__cudaRegisterFunction((void **)stub, stub, stub, "kernel", -1, NULL, NULL, NULL, NULL, NULL);
	for (int i = 0; i < 60; i++)
		roads[i % 3](stub, one, one, NULL, 0, NULL);
	printf("here %d, beside %d\n", launched(), theirs());
	return launches;
}
#endif
