/*
 * two_majors.c - calls a CUDA runtime: a program of one major that loads a library of another one, made from this file too (-DLIBRARY).
 * The program says what each of them is told of its own runtime: the number in the version.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int cudaRuntimeGetVersion(int *version);
int cudaMalloc(void **address, size_t bytes);
int cudaFree(void *address);
int work(int times);

int work(int times)
{
	void *address;
	int version = 0;

	for (int i = 0; i < times; i++)
		if (cudaMalloc(&address, 256) || cudaFree(address))
			return -1;
	return cudaRuntimeGetVersion(&version) ? -1 : version / 1000;
}

#ifndef LIBRARY
int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[2], RTLD_NOW) : NULL;
	int (*other)(int) = library ? (int (*)(int))dlsym(library, "work") : NULL;
	int first = work(atoi(argv[1])), second = other ? other(2 * atoi(argv[1])) : 0;

	printf("%d %d %d\n", first, second, work(1));
	return 0;
}
#endif
