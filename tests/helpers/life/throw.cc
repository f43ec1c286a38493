/* throw - callbacks of the runtime throw through it, and through our functions; then ordinary calls. */
#include "fake_opencl.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

static void thrower(void *) { throw 1; }
static void event_thrower(void *, int, void *) { throw 2; }
static void build_thrower(void *, void *) { throw 3; }

static void launch(void)
{
	clEnqueueNDRangeKernel(nullptr, const_cast<char *>("throw"), 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr);
}

static int caught(int which)
{
	try {
		if (which == 1)
			clEnqueueNativeKernel(nullptr, thrower, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
		if (which == 2)
			clSetEventCallback(nullptr, 0, event_thrower, nullptr);
		if (which == 3)
			clBuildProgram(nullptr, 0, nullptr, nullptr, build_thrower, nullptr);
	} catch (int n) {
		return n;
	}
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 100; i++) {
		printf("%d%d%d ", caught(1), caught(2), caught(3));
		launch();
		fake_launch(); /* inside a launch it would be a part of that one */
	}
	printf("\n");
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "kill"))
		raise(SIGKILL);
	return 0;
}
