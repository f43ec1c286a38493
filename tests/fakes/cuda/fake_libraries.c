/*
 * fake_libraries.c - one of the libraries of fake_libraries.h: LIBRARY is BLAS, LT or DNN. Its functions are the rows; each tells the
 * program that it was called, and does nothing more but where a do_<symbol>() stands here.
 */
#include <stdbool.h>
#include "tests/fakes/cuda/fake_libraries.h"

#define BLAS 1
#define LT   2
#define DNN  3

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wsizeof-array-argument"
#pragma GCC diagnostic ignored "-Wunused-parameter"
/* clang-format off: one macro a form */
#define HOOK(ret, sym, params, args, ...)                                  \
	ret sym params;                                                    \
	static ret do_##sym params __attribute__((weakref("done_" #sym))); \
	ret sym params                                                     \
	{                                                                  \
		HASH_OF(args)                                              \
		if (fake_called)                                           \
			fake_called(#sym, hash);                           \
		return do_##sym ? do_##sym args : 0;                       \
	}
#define HOOK_DOUBLE HOOK
#define HOOK_DOUBLE_VOID(sym, params, args, ...) \
	void sym params;                         \
	void sym params                          \
	{                                        \
		HASH_OF(args)                    \
		if (fake_called)                 \
			fake_called(#sym, hash); \
	}
/* clang-format on */

static void told(const char *symbol)
{
	if (fake_called)
		fake_called(symbol, 0);
}

#define HANDLES 256
struct handle {
	cudaStream_t stream;
};
static struct handle handles[HANDLES] __attribute__((unused));
static unsigned int made __attribute__((unused));

static bool is_handle(const void *handle)
{
	return (uintptr_t)handle >= (uintptr_t)handles && (uintptr_t)handle < (uintptr_t)(handles + HANDLES);
}

static __attribute__((unused)) void *new_handle(cudaStream_t stream)
{
	handles[made % HANDLES].stream = stream;
	return &handles[made++ % HANDLES];
}

#if LIBRARY == BLAS

#include "hooks/cuda/blas/cublas.def"

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t, const void *, const void *, cublasLtMatrixLayout_t, const void *,
			      cublasLtMatrixLayout_t, const void *, const void *, cublasLtMatrixLayout_t, void *, cublasLtMatrixLayout_t,
			      const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t);

cublasHandle_t fake_blas_handle(cudaStream_t stream)
{
	return new_handle(stream);
}

cublasStatus_t done_cublasCreate_v2(cublasHandle_t *handle)
{
	*handle = new_handle(NULL);
	return 0;
}

cublasStatus_t done_cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
	if (is_handle(handle))
		((struct handle *)handle)->stream = stream;
	return 0;
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream)
{
	told("cublasGetStream_v2");
	if (!is_handle(handle))
		return 1;
	*stream = ((struct handle *)handle)->stream;
	return 0;
}

cublasStatus_t done_cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
				const __half *alpha, const __half *A, int lda, const __half *B, int ldb, const __half *beta, __half *C, int ldc)
{
	return handle == FAKE_BAD ? 3 : 0;
}

/* As the real one may, by the library beside it. */
cublasStatus_t done_cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void *alpha,
				 const void *A, cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb, const void *beta,
				 void *C, cudaDataType Ctype, int ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo)
{
	return cublasLtMatmul(handle, NULL, alpha, A, NULL, B, NULL, beta, C, NULL, C, NULL, NULL, NULL, 0, NULL);
}

#elif LIBRARY == LT

#include <string.h>
#include "hooks/cuda/blas/cublaslt.def"

#define LAYOUTS 256

static cublasStatus_t fill(struct fake_layout *l, cudaDataType type, uint64_t rows, uint64_t columns)
{
	*l = (struct fake_layout){ FAKE_LAYOUT, rows, columns, type, 1 };
	return 0;
}

cublasStatus_t done_cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld)
{
	static struct fake_layout layouts[LAYOUTS];
	unsigned int i = 0;

	while (layouts[i].is_one)
		i++;
	*layout = &layouts[i];
	return fill(*layout, type, rows, columns);
}

cublasStatus_t done_cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size, cudaDataType type, uint64_t rows,
						      uint64_t columns, int64_t ld)
{
	return size == sizeof(struct fake_layout) ? fill(layout, type, rows, columns) : 0;
}

cublasStatus_t done_cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
	((struct fake_layout *)layout)->is_one = 0;
	return 0;
}

cublasStatus_t done_cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attr, const void *buf,
						     size_t size)
{
	struct fake_layout *l = layout;

	if (l->is_one == FAKE_LAYOUT && attr == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
		memcpy(&l->batch, buf, sizeof(l->batch));
	return 0;
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attr, void *buf, size_t size,
						size_t *written)
{
	const struct fake_layout *l = layout;
	const void *what = attr == CUBLASLT_MATRIX_LAYOUT_TYPE ? (const void *)&l->type : attr == CUBLASLT_MATRIX_LAYOUT_ROWS ? (const void *)&l->rows
										  : attr == CUBLASLT_MATRIX_LAYOUT_COLS	      ? (const void *)&l->columns
															      : &l->batch;
	size_t bytes = attr == CUBLASLT_MATRIX_LAYOUT_ROWS || attr == CUBLASLT_MATRIX_LAYOUT_COLS ? 8 : 4;

	told("cublasLtMatrixLayoutGetAttribute");
	if (l->is_one != FAKE_LAYOUT || size != bytes)
		return 7;
	memcpy(buf, what, bytes);
	*written = bytes;
	return 0;
}

#else

#include "hooks/cuda/dnn/cudnn.def"

cudnnStatus_t done_cudnnCreate(cudnnHandle_t *handle)
{
	*handle = new_handle(NULL);
	return 0;
}

cudnnStatus_t done_cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
	if (is_handle(handle))
		((struct handle *)handle)->stream = stream;
	return 0;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *stream)
{
	told("cudnnGetStream");
	if (!is_handle(handle))
		return 1001;
	*stream = ((struct handle *)handle)->stream;
	return 0;
}

/* Who asks for fewer gets fewer, but is told how many there are. */
static void tell(int *to, const int *from, int asked, int there)
{
	for (int i = 0; i < asked && i < there; i++)
		to[i] = from[i];
}

cudnnStatus_t cudnnGetTensorNdDescriptor(cudnnTensorDescriptor_t descriptor, int asked, cudnnDataType_t *type, int *dimensions, int *sizes,
					 int *strides)
{
	const struct fake_descriptor *d = descriptor;

	told("cudnnGetTensorNdDescriptor");
	if (d->is_one != FAKE_DESCRIPTOR)
		return 2000;
	*type = d->type;
	*dimensions = d->dimensions;
	tell(sizes, d->sizes, asked, d->dimensions);
	tell(strides, d->strides, asked, d->dimensions);
	return 0;
}

cudnnStatus_t cudnnGetFilterNdDescriptor(cudnnFilterDescriptor_t descriptor, int asked, cudnnDataType_t *type, cudnnTensorFormat_t *format,
					 int *dimensions, int *sizes)
{
	const struct fake_descriptor *d = descriptor;

	told("cudnnGetFilterNdDescriptor");
	if (d->is_one != FAKE_DESCRIPTOR)
		return 2000;
	*type = d->type;
	*format = d->format;
	*dimensions = d->dimensions;
	tell(sizes, d->sizes, asked, d->dimensions);
	return 0;
}

#endif
