/*
 * abi.h - cuBLAS and cublasLt: just enough to pass arguments through. Names and values as in cublas_api.h and cublasLt.h of
 * majors 12 and 13.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Status codes: 0 is success. */
typedef int32_t cublasStatus_t, cublasStatus;
#define CUBLAS_NOT_SUPPORTED 15

/* Handles. cudaStream_t is hooks/cuda/abi/abi.h's, too. */
typedef void *cudaStream_t, *cublasHandle_t, *cublasLtHandle_t, *cublasLtMatmulDesc_t, *cublasLtMatrixTransformDesc_t, *cublasLtMatrixLayout_t;

/* Enumerations. */
typedef int32_t cublasOperation_t, cublasFillMode_t, cublasDiagType_t, cublasSideMode_t, cublasComputeType_t, cublasGemmAlgo_t, cudaDataType,
	cudaDataType_t, cublasLtMatrixLayoutAttribute_t;
enum { CUBLAS_OP_N }; /* any other: turned */
enum { CUBLAS_SIDE_LEFT };
enum { CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
       CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
       CUBLASLT_MATRIX_LAYOUT_COLS = 3,
       CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5 };

/* Numbers that are passed by value by the functions of cublas.h. */
typedef struct {
	float x, y;
} cuComplex;
typedef struct {
	double x, y;
} cuDoubleComplex;

/* Nobody looks into these. */
typedef void __half, __nv_bfloat16, cublasLtMatmulAlgo_t;
