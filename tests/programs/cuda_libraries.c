/*
 * cuda_libraries.c - calls of cuBLAS, cublasLt and cuDNN (tests/fakes/cuda), with arguments that are counted on both sides.
 *   all            every row once, by import
 *   found          every row once, by dlsym
 *   second A B     two libraries with the same names, by dlsym in each
 *   shapes         operators that are given this and that
 * Says how many calls were as they should be, and how often the libraries were asked what no program asked.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/fakes/cuda/fake_libraries.h"

/* ---- what the libraries tell ---- */

static const char *expected;
static uint64_t expected_hash;
static unsigned int right, wrong, of_matrices, of_tensors, of_streams;

__attribute__((visibility("default"))) void fake_called(const char *symbol, uint64_t arguments)
{
	of_matrices += !strcmp(symbol, "cublasLtMatrixLayoutGetAttribute");
	of_tensors += !strcmp(symbol, "cudnnGetTensorNdDescriptor") + !strcmp(symbol, "cudnnGetFilterNdDescriptor");
	of_streams += !strcmp(symbol, "cublasGetStream_v2") + !strcmp(symbol, "cudnnGetStream");
	if (!expected || strcmp(symbol, expected))
		return;
	if (arguments == expected_hash)
		right++;
	else
		printf("%s has other arguments\n", symbol);
	expected = NULL;
}

static void called(const char *symbol, bool good)
{
	if (expected)
		printf("%s was not called\n", symbol);
	if (!good)
		printf("%s answered something else\n", symbol);
	wrong += expected || !good;
	expected = NULL;
}

/* ---- every row ---- */

enum { INTEGERS = 1, /* of __builtin_classify_type() */
       CHARS = 2,
       POINTERS = 5,
       NUMBERS = 8 };

/* Where pointers lead, a page each: there are zeros. */
#define ROOM 4096
static unsigned char places[64][ROOM] __attribute__((aligned(4096)));
static unsigned int place;

static void fill(void *argument, size_t size, int class)
{
	uint64_t integer = 2 + place;
	double number = place + 0.5;
	float single = (float)number, singles[2] = { single, -single };
	double numbers[2] = { number, -number };
	void *pointer = places[place % 64];

	place++;
	if (class == POINTERS)
		memcpy(argument, &pointer, size);
	else if (class == NUMBERS)
		memcpy(argument, size == sizeof(single) ? (void *)&single : &number, size);
	else if (class == INTEGERS || class == CHARS)
		memcpy(argument, &integer, size);
	else
		memcpy(argument, size == sizeof(singles) ? (void *)singles : numbers, size);
}

#define SET(a)	      fill((void *)&(a), sizeof(a), __builtin_classify_type(a));
#define FIND(of, sym) (by_look_up ? (__typeof__(&sym))dlsym(of, #sym) : sym)

static bool by_look_up;
static void *library;

#pragma GCC diagnostic ignored "-Wsizeof-array-argument"
/* clang-format off: one macro a form */
#define TRY(sym, params, args, call)    \
	static void try_##sym params    \
	{                               \
		place = 0;              \
		EACH(SET, UNPAREN args) \
		HASH_OF(args)           \
		expected = #sym;        \
		expected_hash = hash;   \
		call                    \
	}
#define HOOK(ret, sym, params, args, ...) \
	ret sym params;                   \
	TRY(sym, params, args, called(#sym, FIND(library, sym) args == 0);)
#define HOOK_DOUBLE HOOK
#define HOOK_DOUBLE_VOID(sym, params, args, ...) \
	void sym params;                         \
	TRY(sym, params, args, FIND(library, sym) args; called(#sym, true);)
#include "hooks/cuda/blas/cublas.def"
#include "hooks/cuda/blas/cublaslt.def"
#include "hooks/cuda/dnn/cudnn.def"
#undef HOOK
#undef HOOK_DOUBLE
#undef HOOK_DOUBLE_VOID

/* With room for the arguments that a row has on the stack: it fills them in itself. */
static void try_row(void (*row)(void))
{
	typedef uintptr_t w;

	((void (*)(w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w))row)(
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

#define HOOK(ret, sym, ...)	   (void (*)(void)) try_##sym,
#define HOOK_DOUBLE		   HOOK
#define HOOK_DOUBLE_VOID(sym, ...) (void (*)(void)) try_##sym,
static void (*const blas_rows[])(void) = {
#include "hooks/cuda/blas/cublas.def"
};
static void (*const lt_rows[])(void) = {
#include "hooks/cuda/blas/cublaslt.def"
};
static void (*const dnn_rows[])(void) = {
#include "hooks/cuda/dnn/cudnn.def"
};
/* clang-format on */

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static void try_rows(const char *soname, void (*const *rows)(void), size_t count)
{
	library = dlopen(soname, RTLD_NOW);
	for (size_t i = 0; i < count; i++)
		try_row(rows[i]);
}

static void try_all(bool look_up)
{
	by_look_up = look_up;
	try_rows("libcublas.so.13", blas_rows, COUNT(blas_rows));
	try_rows("libcublasLt.so.13", lt_rows, COUNT(lt_rows));
	try_rows("libcudnn.so.9", dnn_rows, COUNT(dnn_rows));
}

/* ---- two libraries with the same names ---- */

static const char *owner(void *function)
{
	Dl_info info;
	const char *slash;

	if (!dladdr(function, &info))
		return "nobody";
	slash = strrchr(info.dli_fname, '/');
	return slash ? slash + 1 : info.dli_fname;
}

static void try_second(char **paths)
{
	by_look_up = true;
	for (int i = 0; i < 2; i++) {
		library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
		if (!library) {
			puts(dlerror());
			continue;
		}
		try_row((void (*)(void))try_cudnnBatchNormalizationForwardInference);
		try_row((void (*)(void))try_cudnnConvolutionForward);
		printf("%s %s\n", owner(dlsym(library, "cudnnBatchNormalizationForwardInference")), owner(dlsym(library, "cudnnConvolutionForward")));
	}
}

/* ---- shapes ---- */

#define STREAM(n) ((cudaStream_t)(uintptr_t)(0x5000 + 16 * (n)))
enum { R_32F = 0,
       R_16F = 2,
       R_16BF = 14,
       OP_T = 1,
       SIDE_RIGHT = 1 };
#define NONE NULL, 1 /* a matrix or vector, and how far apart */

static void matrices(void)
{
	cublasHandle_t handle, other = fake_blas_handle(STREAM(3));
	int64_t m[2] = { 2, 3 }, n[2] = { 4, 5 }, k[2] = { 6, 7 }, sizes[2] = { 8, 9 };
	int ones[30], ops[30] = { 0 };

	for (int i = 0; i < 30; i++)
		ones[i] = 1;
	cublasCreate_v2(&handle);
	cublasSgemv_v2(handle, OP_T, 3, 4, NULL, NONE, NONE, NULL, NONE);
	cublasSetStream_v2(handle, STREAM(1));
	cublasSgemm_v2(handle, 0, OP_T, 3, 4, 5, NULL, NONE, NONE, NULL, NONE);
	cublasGemmStridedBatchedEx(handle, OP_T, 0, 8, 9, 10, NULL, NULL, R_16BF, 1, 0, NULL, R_16BF, 1, 0, NULL, NULL, R_32F, 1, 0, 7, 0, 0);
	cublasGemmEx(handle, 0, 0, 3, 4, 5, NULL, NULL, R_16F, 1, NULL, R_16F, 1, NULL, NULL, R_16F, 1, 0, 0);
	cublasDtrmm_v2_64(handle, SIDE_RIGHT, 0, 0, 0, 2, 6, NULL, NONE, NONE, NONE);
	cublasDgemmGroupedBatched_64(handle, NULL, NULL, m, n, k, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, sizes);
	cublasSgemmGroupedBatched(handle, ops, ops, ones, ones, ones, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 30, ones);
	cublasSetStream_v2(handle, STREAM(2));
	cublasHgemm(handle, 0, 0, 1, 1, 1, NULL, NONE, NONE, NULL, NONE);
	cublasHgemm(FAKE_BAD, 0, 0, 1, 2, 3, NULL, NONE, NONE, NULL, NONE);
	cublasHgemm(other, 0, 0, 2, 1, 1, NULL, NONE, NONE, NULL, NONE);
	cublasHgemm(other, 0, 0, 2, 1, 1, NULL, NONE, NONE, NULL, NONE);
	cublasDestroy_v2(handle);
	cublasSetKernelStream(STREAM(4));
	cublasSsymm('r', 'u', 2, 3, 1, NONE, NONE, 1, NONE);
}

static cublasLtMatrixLayout_t layout(cudaDataType type, uint64_t rows, uint64_t columns)
{
	cublasLtMatrixLayout_t made;

	cublasLtMatrixLayoutCreate(&made, type, rows, columns, 1);
	return made;
}

static void multiply(cublasLtMatrixLayout_t *l)
{
	unsigned int before = of_matrices;

	cublasLtMatmul(NULL, NULL, NULL, NULL, l[0], NULL, l[1], NULL, NULL, l[2], NULL, l[2], NULL, NULL, 0, STREAM(5));
	printf("asked %u times\n", of_matrices - before);
}

static void layouts(void)
{
	cublasLtMatrixLayout_t l[3] = { layout(R_16F, 6, 5), layout(R_16F, 6, 7), layout(R_32F, 5, 7) };
	struct fake_layout own = { 0 };
	uint32_t batch = 3;

	multiply(l);
	for (int i = 0; i < 3; i++)
		cublasLtMatrixLayoutSetAttribute(l[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof(batch));
	multiply(l);
	multiply(l);
	cublasLtMatrixLayoutDestroy(l[2]);
	l[2] = layout(R_16BF, 5, 7);
	multiply(l);
	cublasLtMatrixLayoutInit_internal(&own, sizeof(own), R_16F, 7, 11, 1);
	cublasLtMatrixTransform(NULL, NULL, NULL, NULL, &own, NULL, NULL, NULL, NULL, &own, STREAM(5));
}

static void tensors(void)
{
	struct fake_descriptor x = { FAKE_DESCRIPTOR, 2, 0, 4, { 2, 3, 8, 9 }, { 216, 72, 9, 1 } },
			       w = { FAKE_DESCRIPTOR, 2, 1, 4, { 16, 3, 5, 5 }, { 0 } },
			       y = { FAKE_DESCRIPTOR, 0, 0, 4, { 2, 16, 4, 5 }, { 320, 1, 80, 16 } },
			       one = { FAKE_DESCRIPTOR, 1, 0, 5, { 1, 3, 1, 1, 1 }, { 3, 1, 1, 1, 1 } };
	cudnnHandle_t handle;

	cudnnCreate(&handle);
	cudnnSetStream(handle, STREAM(6));
	cudnnConvolutionForward(handle, NULL, &x, NULL, &w, NULL, NULL, 0, NULL, 0, NULL, &y, NULL);
	cudnnBatchNormalizationForwardInference(handle, 0, NULL, NULL, &x, NULL, NULL, NULL, &one, NULL, NULL, NULL, NULL, 0.125);
	cudnnDropoutForward(handle, NULL, &x, NULL, NULL, NULL, NULL, 0);
	cudnnBackendExecute(handle, NULL, NULL);
	cudnnDestroy(handle);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "all") || !strcmp(what, "found"))
		try_all(!strcmp(what, "found"));
	else if (!strcmp(what, "second") && argc > 3)
		try_second(argv + 2);
	else {
		matrices();
		layouts();
		tensors();
		printf("asked about %u matrices, %u tensors, %u streams\n", of_matrices, of_tensors, of_streams);
		return 0;
	}
	printf("right %u wrong %u\n", right, wrong);
	return wrong != 0;
}
