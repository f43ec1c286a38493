/* A plugin linked to the vendor, opened and closed again and again. */
#include "fake_opencl.h"

void plugin_call(void);
void plugin_call(void)
{
	clEnqueueNDRangeKernel(NULL, "plugin", 0, NULL, NULL, NULL, 0, NULL, NULL);
}
