/* hip_majors.c - opens one HIP runtime after the other, and calls each by what dlsym answers for its handle: hip_majors TIMES LIBRARY... */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW), *address;
		int (*version_of)(int *) = library ? (int (*)(int *))dlsym(library, "hipRuntimeGetVersion") : NULL;
		int (*get)(void **, size_t) = library ? (int (*)(void **, size_t))dlsym(library, "hipMalloc") : NULL;
		int (*give)(void *) = library ? (int (*)(void *))dlsym(library, "hipFree") : NULL;
		int version = 0;

		if (!version_of || !get || !give || version_of(&version))
			return 1;
		for (int n = 0; n < i * atoi(argv[1]); n++)
			if (get(&address, 256) || give(address))
				return 1;
		printf("%d\n", version);
	}
	return 0;
}
