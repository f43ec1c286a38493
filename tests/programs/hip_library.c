/* hip_library.c - a kernel of a library (HIP 7.2), launched three times: the name was given when it was asked for, and nobody says it later. */
#include <stddef.h>
#include <stdio.h>
#include "tests/sims/cuda/abi.h"

int hipLibraryLoadData(void **library, const void *code, void *options, void **values, unsigned int number, void *library_options,
		       void **library_values, unsigned int library_number);
int hipLibraryGetKernel(void **kernel, void *library, const char *name);
int hipLibraryUnload(void *library);
int hipModuleLaunchKernel(void *function, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, void *stream,
			  void **arguments, void **extra);
int hipDeviceSynchronize(void);

int main(void)
{
	const struct sim_kernel code[] = { { .name = "_Z10of_libraryv" }, { .name = NULL } };
	const struct sim_image image = { SIM_IMAGE, code };
	void *library = NULL, *kernel = NULL;
	int rc = hipLibraryLoadData(&library, &image, NULL, NULL, 0, NULL, NULL, 0);

	rc = rc ? rc : hipLibraryGetKernel(&kernel, library, "_Z10of_libraryv");
	for (int i = 0; i < 3 && !rc; i++)
		rc = hipModuleLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
	rc = rc ? rc : hipDeviceSynchronize();
	printf("%d %d\n", rc, hipLibraryUnload(library));
	return rc;
}
