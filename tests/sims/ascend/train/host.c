/* host.c - as python does: the module with all the work is opened for itself, and nothing of it is global. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*run)(int, char **) = module ? (int (*)(int, char **))dlsym(module, "train_main") : NULL;

	if (!run) {
		fprintf(stderr, "usage: host MODULE linked|handle|default MODE STEPS: %s\n", dlerror());
		return 2;
	}
	return run(argc - 1, argv + 1);
}
