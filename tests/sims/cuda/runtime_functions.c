/* runtime_functions.c - what a program asks of its kernels, and its variables on the device. */
#include "tests/sims/cuda/runtime.h"
#include <string.h>

/* ---- kernels ---- */

cudaError_t do_cudaFuncGetAttributes(cudaFuncAttributes *attr, const void *func)
{
	void *function = runtime_function(func);

	memset(attr, 0, sizeof(*attr));
	if (!function)
		return runtime_told(SIM_ERROR_INVALID_FUNCTION);
	CU(cuFuncGetAttribute)
	(&attr->maxThreadsPerBlock, 0, function);
	CU(cuFuncGetAttribute)
	(&attr->numRegs, 4, function);
	CU(cuFuncGetAttribute)
	(&attr->ptxVersion, 5, function);
	CU(cuFuncGetAttribute)
	(&attr->binaryVersion, 6, function);
	return 0;
}

cudaError_t do_cudaFuncSetAttribute(const void *func, cudaFuncAttribute attr, int value)
{
	void *function = runtime_function(func);

	return runtime_told(function ? CU(cuFuncSetAttribute)(function, attr, value) : SIM_ERROR_INVALID_FUNCTION);
}

cudaError_t do_cudaFuncSetCacheConfig(const void *func, cudaFuncCache cacheConfig)
{
	void *function = runtime_function(func);

	return runtime_told(function ? CU(cuFuncSetCacheConfig)(function, cacheConfig) : SIM_ERROR_INVALID_FUNCTION);
}

cudaError_t do_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func, int blockSize,
								      size_t dynamicSMemSize, unsigned int flags)
{
	void *function = runtime_function(func);

	if (!function)
		return runtime_told(SIM_ERROR_INVALID_FUNCTION);
	return runtime_told(CU(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(numBlocks, function, blockSize, dynamicSMemSize, flags));
}

cudaError_t do_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize)
{
	return do_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

/* ---- variables ---- */

cudaError_t do_cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
	size_t size;

	return runtime_told(runtime_variable(symbol, (CUdeviceptr_v2 *)devPtr, &size));
}

cudaError_t do_cudaGetSymbolSize(size_t *size, const void *symbol)
{
	CUdeviceptr_v2 at;

	return runtime_told(runtime_variable(symbol, &at, size));
}

cudaError_t do_cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset, cudaMemcpyKind kind)
{
	CUdeviceptr_v2 at;
	size_t size;
	int rc = runtime_variable(symbol, &at, &size);

	return runtime_told(rc ? rc : CU_PTDS(cuMemcpyHtoD_v2)(at + offset, src, count));
}

cudaError_t do_cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind)
{
	CUdeviceptr_v2 at;
	size_t size;
	int rc = runtime_variable(symbol, &at, &size);

	return runtime_told(rc ? rc : CU_PTDS(cuMemcpyDtoH_v2)(dst, at + offset, count));
}

cudaError_t do_cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset, cudaMemcpyKind kind,
				       cudaStream_t stream)
{
	CUdeviceptr_v2 at;
	size_t size;
	int rc = runtime_variable(symbol, &at, &size);

	return runtime_told(rc ? rc : CU_PTSZ(cuMemcpyHtoDAsync_v2)(at + offset, src, count, stream));
}

cudaError_t do_cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind,
					 cudaStream_t stream)
{
	CUdeviceptr_v2 at;
	size_t size;
	int rc = runtime_variable(symbol, &at, &size);

	return runtime_told(rc ? rc : CU_PTSZ(cuMemcpyDtoHAsync_v2)(dst, at + offset, count, stream));
}
