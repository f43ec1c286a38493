/* blaslt.c - libcublasLt: what matrices are like. */
#include "tests/sims/cuda/library.h"
#include "tests/sims/cuda/declare.h"
#include <stdlib.h>
#include <string.h>

#define LAYOUT 64 /* bytes of cublasLtMatrixLayoutOpaque_t */

/* By attribute: type, order, rows, columns, leading dimension, how many. */
enum { TYPE,
       ORDER,
       ROWS_,
       COLUMNS,
       LEADING,
       BATCH,
       ATTRIBUTES };
static const size_t sizes[ATTRIBUTES] = { 4, 4, 8, 8, 8, 4 };
struct layout {
	int64_t values[ATTRIBUTES];
};
_Static_assert(sizeof(struct layout) <= LAYOUT, "a layout lies in the program's memory");

cublasStatus_t do_cublasLtCreate(cublasLtHandle_t *lightHandle)
{
	return library_handle(lightHandle);
}

cublasStatus_t do_cublasLtDestroy(cublasLtHandle_t lightHandle)
{
	return library_end(lightHandle);
}

cublasStatus_t do_cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout, size_t size, cudaDataType type, uint64_t rows,
						    uint64_t cols, int64_t ld)
{
	if (size < LAYOUT)
		return LIBRARY_INVALID;
	*(struct layout *)matLayout = (struct layout){ { type, 0, (int64_t)rows, (int64_t)cols, ld, 1 } };
	return 0;
}

cublasStatus_t do_cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *matLayout, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld)
{
	int rc = library_made(matLayout, LAYOUT);

	return rc ? rc : do_cublasLtMatrixLayoutInit_internal(*matLayout, LAYOUT, type, rows, cols, ld);
}

cublasStatus_t do_cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t matLayout)
{
	free(matLayout);
	return 0;
}

cublasStatus_t do_cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t matLayout, cublasLtMatrixLayoutAttribute_t attr, const void *buf,
						   size_t sizeInBytes)
{
	struct layout *l = matLayout;

	if (attr < 0 || attr >= ATTRIBUTES || sizeInBytes != sizes[attr])
		return LIBRARY_INVALID;
	l->values[attr] = 0;
	memcpy(&l->values[attr], buf, sizeInBytes);
	return 0;
}

cublasStatus_t do_cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t matLayout, cublasLtMatrixLayoutAttribute_t attr, void *buf,
						   size_t sizeInBytes, size_t *sizeWritten)
{
	const struct layout *l = matLayout;

	if (attr < 0 || attr >= ATTRIBUTES || sizeInBytes != sizes[attr])
		return LIBRARY_INVALID;
	memcpy(buf, &l->values[attr], sizeInBytes);
	if (sizeWritten)
		*sizeWritten = sizeInBytes;
	return 0;
}

/* One way, which needs no memory. */
#define RESULT 96 /* bytes of cublasLtMatmulHeuristicResult_t */

cublasStatus_t do_cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc,
						 cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
						 void *preference, int requestedAlgoCount, void *heuristicResultsArray, int *returnAlgoCount)
{
	(void)lightHandle, (void)operationDesc, (void)Adesc, (void)Bdesc, (void)Cdesc, (void)Ddesc, (void)preference;
	if (requestedAlgoCount < 1)
		return LIBRARY_INVALID;
	memset(heuristicResultsArray, 0, RESULT);
	*returnAlgoCount = 1;
	return 0;
}
