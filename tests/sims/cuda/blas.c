/* blas.c - libcublas: handles. */
#include "tests/sims/cuda/library.h"
#include "tests/sims/cuda/declare.h"

cublasStatus_t do_cublasCreate_v2(cublasHandle_t *handle)
{
	return library_handle(handle);
}

cublasStatus_t do_cublasDestroy_v2(cublasHandle_t handle)
{
	return library_end(handle);
}

cublasStatus_t do_cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId)
{
	return handle ? library_set_stream(handle, streamId) : LIBRARY_INVALID;
}

cublasStatus_t do_cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *streamId)
{
	*streamId = handle ? library_stream(handle) : NULL;
	return handle ? 0 : LIBRARY_INVALID;
}

cublasStatus_t do_cublasSetKernelStream(cudaStream_t stream)
{
	return library_set_stream(NULL, stream);
}

cublasStatus_t do_cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t workspaceSizeInBytes)
{
	return 0;
}
