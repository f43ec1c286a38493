/*
 * two_rivals.c - two majors of cublasLt in one process, each needed by a plugin that asks for its functions by RTLD_DEFAULT and by the
 * program's handle. Made as the library (-DMAJOR=N), as its plugin (-DPLUGIN) and as the program: PLUGIN PLUGIN [LIBRARY], which says
 * whose functions the answers are, where the program calls them. LIBRARY: is opened for all of the program before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int cublasLtMatrixLayoutCreate(void **layout, int type, unsigned long rows, unsigned long columns, long leading);
int cublasLtMatrixLayoutDestroy(void *layout);

#ifdef MAJOR
int cublasLtMatrixLayoutCreate(void **layout, int type, unsigned long rows, unsigned long columns, long leading)
{
	(void)type, (void)rows, (void)columns, (void)leading;
	*layout = NULL;
	return MAJOR;
}

int cublasLtMatrixLayoutDestroy(void *layout)
{
	(void)layout;
	return MAJOR;
}
#elif defined(PLUGIN)
extern const void *const needed;
const void *const needed = (const void *)cublasLtMatrixLayoutDestroy;
void *ask(void *handle, const char *name);

void *ask(void *handle, const char *name)
{
	void *volatile found = dlsym(handle, name); /* no tail call: libc looks from where it is asked */

	return found;
}
#else
typedef int (*create_fn)(void **, int, unsigned long, unsigned long, long);
typedef int (*destroy_fn)(void *);

static void tell(const char *plugin, void *handle)
{
	void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL), *layout = NULL;
	void *(*ask)(void *, const char *) = (void *(*)(void *, const char *))dlsym(library, "ask");
	create_fn create = (create_fn)ask(handle, "cublasLtMatrixLayoutCreate");
	destroy_fn destroy = (destroy_fn)ask(handle, "cublasLtMatrixLayoutDestroy");

	printf(" %d", create ? create(&layout, 0, 2, 3, 2) : 0);
	printf(" %d", destroy ? destroy(layout) : 0);
}

int main(int argc, char **argv)
{
	void *runtime = dlopen("libcudart.so.13", RTLD_NOW);
	int (*synchronize)(void) = runtime ? (int (*)(void))dlsym(runtime, "cudaDeviceSynchronize") : NULL;

	if (!synchronize || synchronize() || (argc > 3 && !dlopen(argv[3], RTLD_NOW | RTLD_GLOBAL)))
		return 2;
	for (int i = 1; i <= 2; i++) {
		tell(argv[i], RTLD_DEFAULT);
		tell(argv[i], dlopen(NULL, RTLD_NOW));
	}
	puts("");
	return 0;
}
#endif
