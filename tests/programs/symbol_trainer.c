/*
 * symbol_trainer.c - in iteration n it calls every function of libtrainer.so once, in the order of the
 * list, and a vendor function n times behind each. Prints what the functions answered.
 * BY_DLSYM: it looks the functions up instead of being linked to them.
 */
#define _GNU_SOURCE
#include "tests/programs/symbol_functions.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITERATIONS 6

int clEnqueueNDRangeKernel(void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned,
			   const void *, void **);

static void launches(int n)
{
	while (n--)
		clEnqueueNDRangeKernel(NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL);
}

static void print_bytes(const char *name, const void *value, size_t size)
{
	printf("%s", name);
	for (size_t i = 0; i < size; i++)
		printf(" %02x", ((const unsigned char *)value)[i]);
	printf("\n");
}

#ifdef BY_DLSYM
#define DECLARE(ret, name, params, args) static ret(*name) params;
SYMBOL_FUNCTIONS(DECLARE)

static void find_functions(void)
{
	void *h = dlopen("./libtrainer.so", RTLD_NOW | RTLD_LOCAL);

	if (!h) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
#define FIND(ret, name, params, args) *(void **)&name = dlsym(h, #name);
	SYMBOL_FUNCTIONS(FIND)
}
#else
#define DECLARE(ret, name, params, args) ret name params;
SYMBOL_FUNCTIONS(DECLARE)

static void find_functions(void)
{
}
#endif

/* train_iteration has no result to print, but must see and leave errno as it is. */
static void one_iteration(int n)
{
	errno = 5;
	train_iteration(n);
	printf("errno %d\n", errno);
	launches(n);
#define CALL(ret, name, params, args)                                                                                                                            \
	{                                                                                                                                                        \
		_Alignas(16) unsigned char zero[sizeof(ret)] = { 0 };                                                                                            \
		ret value;                                                                                                                                       \
                                                                                                                                                                 \
		memcpy(&value, zero, sizeof(value));                                                                                                             \
		value = name args;                                                                                                                               \
		/* of a long double ten bytes are value, the rest is chance */                                                                                   \
		print_bytes(#name, &value, __builtin_types_compatible_p(ret, long double) && sizeof(ret) == 16 && __LDBL_MANT_DIG__ == 64 ? 10 : sizeof(value)); \
		launches(n);                                                                                                                                     \
	}
	VALUE_FUNCTIONS(CALL)
}

int main(void)
{
	find_functions();
	for (int n = 1; n <= ITERATIONS; n++)
		one_iteration(n);
	return 0;
}
