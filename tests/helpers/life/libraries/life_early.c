/* A library that calls from its constructor, which may run before the agent's. */
#include "fake_opencl.h"

__attribute__((constructor)) static void loaded(void)
{
	for (int i = 0; i < 100; i++)
		clEnqueueNDRangeKernel(NULL, "early", 0, NULL, NULL, NULL, 0, NULL, NULL);
}
