/*
 * operators.c - the operators of a step, by cuBLAS, cublasLt and cuDNN, in place of collectives. They are launches and nothing
 * more: no results.
 */
#include "tests/sims/cuda/train/called.h"
#include "tests/sims/cuda/train/gpu.h"
#include "tests/sims/cuda/train/group.h"

enum { FP32 = 0,
       FP16 = 2 }; /* cudaDataType */
enum { COMPUTE_32F = 68 };

static cublasHandle_t blas;
static cublasLtHandle_t light;
static cudnnHandle_t dnn;
static cublasLtMatrixLayout_t a, b, c;
static cudnnTensorDescriptor_t image, made;
static cudnnFilterDescriptor_t filter;
static float *memory, one = 1, zero;

static void tensor(cudnnTensorDescriptor_t *descriptor, int channels, int size)
{
	int sizes[4] = { 2, channels, size, size }, strides[4] = { channels * size * size, size * size, size, 1 };

	OK(cudnnCreateTensorDescriptor, descriptor);
	OK(cudnnSetTensorNdDescriptor, *descriptor, 0, 4, sizes, strides);
}

void group_start(void)
{
	void *stream = gpu_stream(OWN), *is = NULL;

	memory = gpu_alloc(4096);
	OK(cublasCreate_v2, &blas);
	OK(cublasSetStream_v2, blas, stream);
	OK(cublasGetStream_v2, blas, &is);
	check(is == stream ? 0 : 1, "the stream of a handle", 0);
	OK(cublasLtCreate, &light);
	OK(cublasLtMatrixLayoutCreate, &a, FP16, 16, 32, 16);
	OK(cublasLtMatrixLayoutCreate, &b, FP16, 32, 8, 32);
	OK(cublasLtMatrixLayoutCreate, &c, FP32, 16, 8, 16);
	OK(cublasLtMatrixLayoutSetAttribute, c, 5, &(int32_t){ 3 }, 4);
	OK(cudnnCreate, &dnn);
	OK(cudnnSetStream, dnn, stream);
	tensor(&image, 3, 16);
	tensor(&made, 6, 14);
	OK(cudnnCreateFilterDescriptor, &filter);
	OK(cudnnSetFilterNdDescriptor, filter, 0, 0, 4, (int[]){ 6, 3, 3, 3 });
}

/* 3 by cuBLAS, of which the last one fails; 1 by cublasLt, 3 by cuDNN */
void group_collectives(int step)
{
	float *A = memory, *B = memory + 256, *C = memory + 512;

	OK(cublasSgemm_v2, blas, 0, 1, 16, 8, 4, &one, A, 16, B, 8, &zero, C, 16);
	OK(cublasGemmEx, blas, 1, 0, 8, 8, 16, &one, A, FP16, 16, B, FP16, 16, &zero, C, FP32, 8, COMPUTE_32F, -1);
	check(CALL(cublasSgemm_v2, (void *)&zero, 0, 0, 1, 1, 1, &one, A, 1, B, 1, &zero, C, 1), "no handle", 7);
	OK(cublasLtMatmul, light, NULL, &one, A, a, B, b, &zero, C, c, C, c, NULL, NULL, 0, gpu_stream(SIDE));
	OK(cudnnConvolutionForward, dnn, &one, image, A, filter, B, NULL, 0, NULL, 0, &zero, made, C);
	OK(cudnnSoftmaxForward, dnn, 0, 0, &one, made, A, &zero, made, C);
	OK(cudnnBackendExecute, dnn, NULL, NULL);
	printf("operators %d\n", step);
}

void group_end(void)
{
	OK(cublasDestroy_v2, blas);
	OK(cublasLtDestroy, light);
	OK(cublasLtMatrixLayoutDestroy, a);
	OK(cublasLtMatrixLayoutDestroy, b);
	OK(cublasLtMatrixLayoutDestroy, c);
	OK(cudnnDestroyTensorDescriptor, image);
	OK(cudnnDestroyTensorDescriptor, made);
	OK(cudnnDestroyFilterDescriptor, filter);
	OK(cudnnDestroy, dnn);
	gpu_free(memory);
}
