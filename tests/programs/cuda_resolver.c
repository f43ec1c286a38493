/*
 * cuda_resolver.c - asks for functions of the driver by name and version, and says which library's are answered. Each word is a question:
 *   get:NAME:VERSION:FLAGS    of cuGetProcAddress, which is what was last answered for its own name
 *   entry:NAME:0:FLAGS        of cudaGetDriverEntryPoint, if built with RUNTIME
 *   by:NAME:VERSION:FLAGS     of cudaGetDriverEntryPointByVersion
 * A cuLaunchKernel that was answered launches a kernel whose block is as large as the number of the word.
 */
#ifdef RUNTIME
#define DECLARED RUNTIME
#include "tests/sims/cuda/declare.h"
#undef DECLARED
#endif
#define DECLARED "libcuda.so.1.def"
#include "tests/sims/cuda/declare.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sim_kernel code[] = { { .name = "asked" }, { .name = NULL } };
static const struct sim_image image = { SIM_IMAGE, code };
static CUfunction kernel;

/* What cuGetProcAddress is: of 11.3 it has four arguments. */
static void *get;
static int get_version = 12000;

static void *driver(const char *name)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	void *found = library ? dlsym(library, name) : NULL;

	if (!found)
		exit(2);
	return found;
}
#define DRIVER(symbol) ((__typeof__(&symbol))driver(#symbol))

static void start(void)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;

	if (DRIVER(cuInit)(0) || DRIVER(cuDeviceGet)(&device, 0) || DRIVER(cuCtxCreate_v2)(&context, 0, device) ||
	    DRIVER(cuModuleLoadData)(&module, &image) || DRIVER(cuModuleGetFunction)(&kernel, module, "asked"))
		exit(3);
	get = driver("cuGetProcAddress_v2");
}

static int ask(const char *how, const char *name, int version, uint64_t flags, void **answer)
{
	int status = 0;

	if (!strcmp(how, "get") && get_version >= 12000)
		return ((__typeof__(&cuGetProcAddress_v2))get)(name, answer, version, flags, &status);
	if (!strcmp(how, "get"))
		return ((__typeof__(&cuGetProcAddress))get)(name, answer, version, flags);
#ifdef RUNTIME
	if (!strcmp(how, "entry"))
		return cudaGetDriverEntryPoint(name, answer, flags, &status);
	if (!strcmp(how, "by"))
		return cudaGetDriverEntryPointByVersion(name, answer, (unsigned int)version, flags, &status);
#endif
	exit(4);
}

static const char *library_of(void *function)
{
	Dl_info info;
	const char *slash = function && dladdr(function, &info) ? strrchr(info.dli_fname, '/') : NULL;

	return slash ? slash + 1 : "nobody";
}

int main(int argc, char **argv)
{
	start();
	for (int i = 1; i < argc; i++) {
		char how[16], name[64];
		int version, rc;
		unsigned long flags;
		void *answer = NULL;

		if (sscanf(argv[i], "%15[^:]:%63[^:]:%d:%lu", how, name, &version, &flags) != 4)
			return 1;
		rc = ask(how, name, version, flags, &answer);
		printf("%s %d %s", argv[i], rc, library_of(answer));
		if (answer && !strcmp(name, "cuGetProcAddress")) {
			get = answer;
			get_version = version;
		}
		if (answer && !strcmp(name, "cuLaunchKernel"))
			printf(" launches %d", ((__typeof__(&cuLaunchKernel))answer)(kernel, 1, 1, 1, (unsigned int)i, 1, 1, 0, NULL, NULL, NULL));
		printf("\n");
	}
	return 0;
}
