/*
 * cuda_own_libraries.c - calls of NVIDIA's cuBLAS, cublasLt, cuDNN and NCCL, which they have to refuse where no driver is. Says of each what it
 * answered, and what the library calls that.
 */
#include <stdio.h>
#include "hooks/cuda/blas/abi.h"
#include "hooks/cuda/dnn/abi.h"
#include "hooks/cuda/nccl/abi.h"

#define HOOK(ret, sym, params, ...)	   ret sym params;
#define HOOK_DOUBLE			   HOOK
#define HOOK_VOID(sym, params, ...)	   void sym params;
#define HOOK_DOUBLE_VOID		   HOOK_VOID
#define HOOK_QUIET(sym, params, args, ...) void sym params;
#define HOOK_PTR			   HOOK
#define HOOK_AS(...)
#include "hooks/cuda/blas/cublas.def"
#include "hooks/cuda/blas/cublaslt.def"
#include "hooks/cuda/dnn/cudnn.def"
#include "hooks/cuda/nccl/nccl.def"

/* What only asks has no rows. */
const char *cublasGetStatusString(cublasStatus_t status);
const char *cudnnGetErrorString(cudnnStatus_t status);
const char *ncclGetErrorString(ncclResult_t result);
const char *ncclGetLastError(ncclComm_t comm);

#define SAY(text, symbol, ...)                                   \
	do {                                                     \
		int rc_ = (int)symbol(__VA_ARGS__);              \
                                                                 \
		printf("%s %d %s\n", #symbol, rc_, (text)(rc_)); \
	} while (0)

int main(void)
{
	cublasHandle_t blas = NULL;
	cudnnHandle_t dnn = NULL;
	cudnnTensorDescriptor_t none = NULL;
	ncclComm_t communicator = NULL;
	float one = 1, here[16] = { 0 };

	SAY(cublasGetStatusString, cublasCreate_v2, &blas);
	SAY(cublasGetStatusString, cublasSgemm_v2, NULL, 0, 0, 2, 2, 2, &one, here, 2, here, 2, &one, here, 2);
	SAY(cublasGetStatusString, cublasLtMatmul, NULL, NULL, &one, here, NULL, here, NULL, &one, here, NULL, here, NULL, NULL, NULL, 0, NULL);
	SAY(cudnnGetErrorString, cudnnCreate, &dnn);
	SAY(cudnnGetErrorString, cudnnSoftmaxForward, NULL, 0, 0, &one, none, here, &one, none, here);
	SAY(ncclGetErrorString, ncclCommInitAll, &communicator, 1, NULL);
	printf("ncclGetLastError: %s\n", ncclGetLastError(NULL));
	SAY(ncclGetErrorString, ncclGroupStart);
	SAY(ncclGetErrorString, ncclAllReduce, here, here, 4, 7, 0, NULL, NULL);
	SAY(ncclGetErrorString, ncclGroupEnd);
	printf("ncclGetLastError: %s\n", ncclGetLastError(NULL));
	return 0;
}
