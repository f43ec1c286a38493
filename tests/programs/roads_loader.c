/* roads_loader.c - a vendor's loader (its soname says so) that looks into a driver. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

const char *loader_sees(const char *driver);

/* The file that holds what dlsym gave for the driver's own function. */
const char *loader_sees(const char *driver)
{
	void *h = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
	Dl_info info;

	if (!h || !dladdr(dlsym(h, "clFlush"), &info))
		return "nothing";
	return strrchr(info.dli_fname, '/') ? strrchr(info.dli_fname, '/') + 1 : info.dli_fname;
}
