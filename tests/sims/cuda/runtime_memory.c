/* runtime_memory.c - memory, copies and fills: what each of them is to the driver. */
#include "tests/sims/cuda/runtime.h"
#include <string.h>

/* ---- memory ---- */

cudaError_t do_cudaMalloc(void **devPtr, size_t size)
{
	return ANSWER(CU(cuMemAlloc_v2)((CUdeviceptr_v2 *)devPtr, size));
}

cudaError_t do_cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
	return ANSWER(CU(cuMemAllocPitch_v2)((CUdeviceptr_v2 *)devPtr, pitch, width, height, 4));
}

cudaError_t do_cudaMalloc3D(cudaPitchedPtr *pitchedDevPtr, cudaExtent extent)
{
	pitchedDevPtr->xsize = extent.width;
	pitchedDevPtr->ysize = extent.height;
	return do_cudaMallocPitch(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t do_cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width, size_t height, unsigned int flags)
{
	return do_cudaMalloc((void **)array, (size_t)(desc->x + desc->y + desc->z + desc->w) / 8 * width * (height ? height : 1));
}

cudaError_t do_cudaFree(void *devPtr)
{
	return ANSWER(devPtr ? CU(cuMemFree_v2)((CUdeviceptr_v2)devPtr) : 0);
}

cudaError_t do_cudaFreeArray(cudaArray_t array)
{
	return do_cudaFree(array);
}

cudaError_t do_cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
	return ANSWER(CU(cuMemHostAlloc)(pHost, size, flags));
}

cudaError_t do_cudaMallocHost(void **ptr, size_t size)
{
	return do_cudaHostAlloc(ptr, size, 0);
}

cudaError_t do_cudaFreeHost(void *ptr)
{
	return ANSWER(ptr ? CU(cuMemFreeHost)(ptr) : 0);
}

cudaError_t do_cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
	return ANSWER(CU(cuMemHostRegister_v2)(ptr, size, flags));
}

cudaError_t do_cudaHostUnregister(void *ptr)
{
	return ANSWER(CU(cuMemHostUnregister)(ptr));
}

cudaError_t do_cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
	return ANSWER(CU(cuMemHostGetDevicePointer_v2)((CUdeviceptr_v2 *)pDevice, pHost, flags));
}

cudaError_t do_cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
	return ANSWER(CU(cuMemHostGetFlags)(pFlags, pHost));
}

cudaError_t do_cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
	return ANSWER(CU(cuMemAllocManaged)((CUdeviceptr_v2 *)devPtr, size, flags));
}

cudaError_t do_cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
	return ANSWER(CU_PTSZ(cuMemAllocAsync)((CUdeviceptr_v2 *)devPtr, size, hStream));
}

cudaError_t do_cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemAllocFromPoolAsync)((CUdeviceptr_v2 *)ptr, size, memPool, stream));
}

cudaError_t do_cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
	return ANSWER(CU_PTSZ(cuMemFreeAsync)((CUdeviceptr_v2)devPtr, hStream));
}

cudaError_t do_cudaMemPoolCreate(cudaMemPool_t *memPool, const cudaMemPoolProps *poolProps)
{
	return ANSWER(CU(cuMemPoolCreate)(memPool, (const CUmemPoolProps_v1 *)poolProps));
}

cudaError_t do_cudaMemPoolDestroy(cudaMemPool_t memPool)
{
	return ANSWER(CU(cuMemPoolDestroy)(memPool));
}

cudaError_t do_cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
	return ANSWER(CU(cuMemPoolTrimTo)(memPool, minBytesToKeep));
}

cudaError_t do_cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value)
{
	return ANSWER(CU(cuMemPoolSetAttribute)(memPool, attr, value));
}

cudaError_t do_cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value)
{
	return ANSWER(CU(cuMemPoolGetAttribute)(memPool, attr, value));
}

cudaError_t do_cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc *descList, size_t count)
{
	return ANSWER(CU(cuMemPoolSetAccess)(memPool, (const CUmemAccessDesc_v1 *)descList, count));
}

cudaError_t do_cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *ptr)
{
	int rc = runtime_ready(), device = 0;

	memset(attributes, 0, sizeof(*attributes));
	attributes->device = -2;
	attributes->hostPointer = (void *)ptr;
	if (rc)
		return runtime_told(rc);
	if (!CU(cuPointerGetAttribute)(&device, 9, (CUdeviceptr_v2)ptr))
		*attributes = (cudaPointerAttributes){ .type = 2, .device = device, .devicePointer = (void *)ptr };
	return 0;
}

#if SIM_MAJOR == 12
cudaError_t do_cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemPrefetchAsync)((CUdeviceptr_v2)devPtr, count, dstDevice, stream));
}

cudaError_t do_cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice, int device)
{
	return ANSWER(CU(cuMemAdvise)((CUdeviceptr_v2)devPtr, count, advice, device));
}

cudaError_t do_cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count, cudaMemcpyAttributes *attrs, size_t *attrsIdxs,
				    size_t numAttrs, size_t *failIdx, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemcpyBatchAsync)((CUdeviceptr_v2 *)dsts, (CUdeviceptr_v2 *)srcs, sizes, count, attrs, attrsIdxs, numAttrs,
						  failIdx, stream));
}
#else
cudaError_t do_cudaMemPrefetchAsync(const void *devPtr, size_t count, cudaMemLocation location, unsigned int flags, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemPrefetchAsync_v2)((CUdeviceptr_v2)devPtr, count, location, flags, stream));
}

cudaError_t do_cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice, cudaMemLocation location)
{
	return ANSWER(CU(cuMemAdvise_v2)((CUdeviceptr_v2)devPtr, count, advice, location));
}

cudaError_t do_cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
				    cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemcpyBatchAsync_v2)((CUdeviceptr_v2 *)dsts, (CUdeviceptr_v2 *)srcs, (size_t *)sizes, count, attrs,
						     attrsIdxs, numAttrs, stream));
}
#endif

/* ---- copies ---- */

enum { HOST_TO_DEVICE = 1,
       DEVICE_TO_HOST,
       DEVICE_TO_DEVICE };

cudaError_t do_cudaMemcpy(void *dst, const void *src, size_t count, cudaMemcpyKind kind)
{
	CUdeviceptr_v2 to = (CUdeviceptr_v2)dst, from = (CUdeviceptr_v2)src;

	switch (kind) {
	case HOST_TO_DEVICE: return ANSWER(CU_PTDS(cuMemcpyHtoD_v2)(to, src, count));
	case DEVICE_TO_HOST: return ANSWER(CU_PTDS(cuMemcpyDtoH_v2)(dst, from, count));
	case DEVICE_TO_DEVICE: return ANSWER(CU_PTDS(cuMemcpyDtoD_v2)(to, from, count));
	}
	return ANSWER(CU_PTDS(cuMemcpy)(to, from, count));
}

cudaError_t do_cudaMemcpyAsync(void *dst, const void *src, size_t count, cudaMemcpyKind kind, cudaStream_t stream)
{
	CUdeviceptr_v2 to = (CUdeviceptr_v2)dst, from = (CUdeviceptr_v2)src;

	switch (kind) {
	case HOST_TO_DEVICE: return ANSWER(CU_PTSZ(cuMemcpyHtoDAsync_v2)(to, src, count, stream));
	case DEVICE_TO_HOST: return ANSWER(CU_PTSZ(cuMemcpyDtoHAsync_v2)(dst, from, count, stream));
	case DEVICE_TO_DEVICE: return ANSWER(CU_PTSZ(cuMemcpyDtoDAsync_v2)(to, from, count, stream));
	}
	return ANSWER(CU_PTSZ(cuMemcpyAsync)(to, from, count, stream));
}

static CUcontext context_of(int device)
{
	CUcontext context = NULL;

	CU(cuDevicePrimaryCtxRetain)
	(&context, device);
	return context;
}

cudaError_t do_cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
	return ANSWER(CU_PTDS(cuMemcpyPeer)((CUdeviceptr_v2)dst, context_of(dstDevice), (CUdeviceptr_v2)src, context_of(srcDevice), count));
}

cudaError_t do_cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemcpyPeerAsync)((CUdeviceptr_v2)dst, context_of(dstDevice), (CUdeviceptr_v2)src, context_of(srcDevice),
						 count, stream));
}

/* Everything is one address space. */
static CUDA_MEMCPY2D_v2 rectangle(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height)
{
	return (CUDA_MEMCPY2D_v2){ .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
				   .srcDevice = (CUdeviceptr_v2)src,
				   .srcPitch = spitch,
				   .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
				   .dstDevice = (CUdeviceptr_v2)dst,
				   .dstPitch = dpitch,
				   .WidthInBytes = width,
				   .Height = height };
}

cudaError_t do_cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, cudaMemcpyKind kind)
{
	CUDA_MEMCPY2D_v2 c = rectangle(dst, dpitch, src, spitch, width, height);

	return ANSWER(CU_PTDS(cuMemcpy2DUnaligned_v2)(&c));
}

cudaError_t do_cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
				 cudaMemcpyKind kind, cudaStream_t stream)
{
	CUDA_MEMCPY2D_v2 c = rectangle(dst, dpitch, src, spitch, width, height);

	return ANSWER(CU_PTSZ(cuMemcpy2DAsync_v2)(&c, stream));
}

static CUDA_MEMCPY3D_v2 box(const cudaMemcpy3DParms *p)
{
	return (CUDA_MEMCPY3D_v2){ .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
				   .srcDevice = (CUdeviceptr_v2)p->srcPtr.ptr,
				   .srcPitch = p->srcPtr.pitch,
				   .srcHeight = p->srcPtr.ysize,
				   .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
				   .dstDevice = (CUdeviceptr_v2)p->dstPtr.ptr,
				   .dstPitch = p->dstPtr.pitch,
				   .dstHeight = p->dstPtr.ysize,
				   .WidthInBytes = p->extent.width,
				   .Height = p->extent.height,
				   .Depth = p->extent.depth };
}

cudaError_t do_cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
	CUDA_MEMCPY3D_v2 c = box(p);

	return ANSWER(CU_PTDS(cuMemcpy3D_v2)(&c));
}

cudaError_t do_cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream)
{
	CUDA_MEMCPY3D_v2 c = box(p);

	return ANSWER(CU_PTSZ(cuMemcpy3DAsync_v2)(&c, stream));
}

/* ---- fills ---- */

cudaError_t do_cudaMemset(void *devPtr, int value, size_t count)
{
	return ANSWER(CU_PTDS(cuMemsetD8_v2)((CUdeviceptr_v2)devPtr, (unsigned char)value, count));
}

cudaError_t do_cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemsetD8Async)((CUdeviceptr_v2)devPtr, (unsigned char)value, count, stream));
}

cudaError_t do_cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
	return ANSWER(CU_PTDS(cuMemsetD2D8_v2)((CUdeviceptr_v2)devPtr, pitch, (unsigned char)value, width, height));
}

cudaError_t do_cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuMemsetD2D8Async)((CUdeviceptr_v2)devPtr, pitch, (unsigned char)value, width, height, stream));
}
