/*
 * layouts.h - cublasLt's descriptions of matrices: what they were made with is kept until they end or are changed; else the
 * library is asked, about those that a call has taken.
 */
#pragma once
#include "hooks/cuda/blas/abi.h"

void layout_is(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows, uint64_t columns);
void layout_forget(cublasLtMatrixLayout_t layout);

/*
 * DEF_LAUNCH id of the row's operator: D = A B, whichever way A and B lie; or C made of A and, unless that is NULL, B, as they lie.
 */
uint64_t layouts_matmul(unsigned int hook, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t d);
uint64_t layouts_transform(unsigned int hook, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c);
