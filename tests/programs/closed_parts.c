/* closed_parts FOLDER TIMES - opens one of two libraries, copies through it, closes it, and so on with the other. Prints whether all lay in one place. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int aclrtMemcpy(void *to, unsigned long most, const void *from, unsigned long count, int way);

typedef int copy_fn(void *to, unsigned long most, const void *from, unsigned long count, int way);

int main(int argc, char **argv)
{
	const char *names[] = { "wide", "narrow" };
	void *place = NULL;
	int same = 1;

	for (int i = 0; argc == 3 && i < atoi(argv[2]); i++) {
		int (*function)(copy_fn *, unsigned long);
		char path[4096];
		void *library;

		snprintf(path, sizeof(path), "%s/lib%s.so", argv[1], names[i % 2]);
		library = dlopen(path, RTLD_NOW);
		if (!library)
			return 2;
		*(void **)&function = dlsym(library, names[i % 2]);
		same &= !place || place == *(void **)&function;
		place = *(void **)&function;
		function(aclrtMemcpy, (unsigned long)i + 1);
		dlclose(library);
	}
	puts(same ? "in one place" : "in several places");
	return 0;
}
