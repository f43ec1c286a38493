/* Only waits for the device, in one step: calls, but no work that could have a time. */
#include "tests/helpers/kill/fake_opencl.h"

int main(void)
{
	return clFinish(NULL);
}
