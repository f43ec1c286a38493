/* driver_modules.c - modules and libraries, which are the same here, and the kernels in them. */
#include "tests/sims/cuda/driver.h"
#include <stdlib.h>
#include <string.h>

struct module {
	uint32_t magic; /* SIM_BINARY */
	const struct sim_kernel *code;
	struct function *functions;
};

/* Code may stand in what nvcc's constructor hands over. Captures do not mind: the runtime loads when a kernel is first wanted. */
static int load(const void *image, void **module)
{
	const struct sim_fat_binary *fat = image;
	const struct sim_image *code;
	struct module *m;

	code = image && fat->magic == SIM_FAT_BINARY ? fat->data : image;
	m = calloc(1, sizeof(*m));
	m->magic = SIM_BINARY;
	m->code = code && code->magic == SIM_IMAGE ? code->kernels : NULL;
	*module = m;
	return 0;
}

/* Functions of modules that are gone: never freed, as graphs know them, but the next ones are where they were. */
static struct function *gone;

static struct function *new_function(void)
{
	struct function *f = gone;

	if (!f)
		return calloc(1, sizeof(*f));
	gone = f->next;
	return f;
}

static int unload(struct module *m)
{
	if (!sim_is(m, SIM_BINARY))
		return SIM_ERROR_INVALID_HANDLE;
	pthread_mutex_lock(&sim_lock);
	for (struct function *f = m->functions, *next; f; f = next) {
		next = f->next;
		f->magic = f->kernel.magic = 0;
		f->next = gone;
		gone = f;
	}
	m->magic = 0;
	pthread_mutex_unlock(&sim_lock);
	free(m);
	return 0;
}

static const struct sim_kernel *code_of(const struct module *m, const char *name)
{
	const struct sim_kernel *k = m->code;

	while (k && k->name && strcmp(k->name, name))
		k++;
	return k && k->name ? k : NULL;
}

static int find(struct module *m, const char *name, struct function **function)
{
	struct function *f;

	if (!sim_is(m, SIM_BINARY))
		return SIM_ERROR_INVALID_HANDLE;
	if (m->code && !code_of(m, name))
		return SIM_ERROR_NOT_FOUND;
	pthread_mutex_lock(&sim_lock);
	for (f = m->functions; f && strcmp(f->name, name); f = f->next)
		;
	if (!f) {
		f = new_function();
		*f = (struct function){ .magic = SIM_FUNCTION, .module = m, .name = strdup(name), .code = code_of(m, name), .next = m->functions };
		f->kernel.magic = SIM_KERNEL_HANDLE;
		f->kernel.function = f;
		m->functions = f;
	}
	pthread_mutex_unlock(&sim_lock);
	*function = f;
	return 0;
}

struct function *driver_function(void *handle)
{
	if (sim_is(handle, SIM_FUNCTION))
		return handle;
	return sim_is(handle, SIM_KERNEL_HANDLE) ? ((struct kernel *)handle)->function : NULL;
}

/* ---- modules ---- */

CUresult do_cuModuleLoad(CUmodule *module, const char *fname)
{
	return load(NULL, module);
}

CUresult do_cuModuleLoadData(CUmodule *module, const void *image)
{
	return image ? load(image, module) : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options, void **optionValues)
{
	return do_cuModuleLoadData(module, image);
}

CUresult do_cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
	return do_cuModuleLoadData(module, fatCubin);
}

CUresult do_cuModuleUnload(CUmodule hmod)
{
	return unload(hmod);
}

CUresult do_cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
	return find(hmod, name, (struct function **)hfunc);
}

CUresult do_cuModuleGetGlobal_v2(CUdeviceptr_v2 *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
	return SIM_ERROR_NOT_FOUND;
}

CUresult do_cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	*mode = 2; /* lazy */
	return 0;
}

/* ---- libraries ---- */

CUresult do_cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
			      unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
			      unsigned int numLibraryOptions)
{
	return code ? load(code, library) : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions, void **jitOptionsValues,
				  unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
				  unsigned int numLibraryOptions)
{
	return load(NULL, library);
}

CUresult do_cuLibraryUnload(CUlibrary library)
{
	return unload(library);
}

CUresult do_cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name)
{
	struct function *f = NULL;
	int rc = find(library, name, &f);

	if (!rc)
		*pKernel = &f->kernel;
	return rc;
}

CUresult do_cuLibraryGetModule(CUmodule *pMod, CUlibrary library)
{
	*pMod = library;
	return sim_is(library, SIM_BINARY) ? 0 : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuLibraryGetGlobal(CUdeviceptr_v2 *dptr, size_t *bytes, CUlibrary library, const char *name)
{
	return SIM_ERROR_NOT_FOUND;
}

/* ---- kernels and functions ---- */

static int named(const char **name, void *handle)
{
	struct function *f = driver_function(handle);

	if (f)
		*name = f->name;
	return f ? 0 : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)
{
	*pFunc = driver_function(kernel);
	return *pFunc ? 0 : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuKernelGetName(const char **name, CUkernel hfunc)
{
	return named(name, hfunc);
}

CUresult do_cuFuncGetName(const char **name, CUfunction hfunc)
{
	return named(name, hfunc);
}

CUresult do_cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel)
{
	struct function *f = driver_function(kernel);

	if (f)
		*pLib = f->module;
	return f ? 0 : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)
{
	return do_cuKernelGetLibrary(hmod, hfunc);
}

CUresult do_cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
	*pi = attrib == 0 ? 1024 : attrib == 4		? 32
			   : attrib == 5 || attrib == 6 ? 90
							: 0;
	return driver_function(hfunc) ? 0 : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice_v1 dev)
{
	return do_cuFuncGetAttribute(pi, attrib, kernel);
}

static int known(void *handle)
{
	return driver_function(handle) ? 0 : SIM_ERROR_INVALID_HANDLE;
}

CUresult do_cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice_v1 dev)
{
	return known(kernel);
}

CUresult do_cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
	return known(hfunc);
}

CUresult do_cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
	return known(hfunc);
}

CUresult do_cuFuncLoad(CUfunction function)
{
	return known(function);
}

CUresult do_cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
	*state = 1;
	return known(function);
}

CUresult do_cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)
{
	*numBlocks = 2;
	return known(func);
}

CUresult do_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize,
								 unsigned int flags)
{
	*numBlocks = 2;
	return known(func);
}

CUresult do_cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func, const CUlaunchConfig *config)
{
	*numClusters = 1;
	return known(func);
}
