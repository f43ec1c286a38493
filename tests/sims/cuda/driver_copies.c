/* driver_copies.c - copies and fills. Those that are waited for are the default stream's work; nothing runs beside them. */
#include "tests/sims/cuda/driver.h"
#include <string.h>

static int into(CUstream given, void **stream)
{
	int rc = driver_stream(given, stream);

	return rc ? rc : driver_may(*stream);
}

static int copy(uintptr_t to, uintptr_t from, size_t bytes, CUstream given)
{
	void *stream;
	int rc = into(given, &stream);

	return rc || !bytes ? rc : sim_copy((void *)to, bytes, (const void *)from, bytes, stream);
}

/* Done when the call returns. */
static int waited(uintptr_t to, uintptr_t from, size_t bytes)
{
	void *stream;
	int rc = copy(to, from, bytes, NULL);

	if (!rc)
		rc = driver_stream(NULL, &stream);
	return rc ? rc : sim_stream_wait(stream);
}

CUresult do_cuMemcpy(CUdeviceptr_v2 dst, CUdeviceptr_v2 src, size_t ByteCount)
{
	return waited(dst, src, ByteCount);
}

CUresult do_cuMemcpyHtoD_v2(CUdeviceptr_v2 dstDevice, const void *srcHost, size_t ByteCount)
{
	return waited(dstDevice, (uintptr_t)srcHost, ByteCount);
}

CUresult do_cuMemcpyDtoH_v2(void *dstHost, CUdeviceptr_v2 srcDevice, size_t ByteCount)
{
	return waited((uintptr_t)dstHost, srcDevice, ByteCount);
}

CUresult do_cuMemcpyDtoD_v2(CUdeviceptr_v2 dstDevice, CUdeviceptr_v2 srcDevice, size_t ByteCount)
{
	return waited(dstDevice, srcDevice, ByteCount);
}

CUresult do_cuMemcpyPeer(CUdeviceptr_v2 dstDevice, CUcontext dstContext, CUdeviceptr_v2 srcDevice, CUcontext srcContext, size_t ByteCount)
{
	return waited(dstDevice, srcDevice, ByteCount);
}

CUresult do_cuMemcpyAsync(CUdeviceptr_v2 dst, CUdeviceptr_v2 src, size_t ByteCount, CUstream hStream)
{
	return copy(dst, src, ByteCount, hStream);
}

CUresult do_cuMemcpyHtoDAsync_v2(CUdeviceptr_v2 dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream)
{
	return copy(dstDevice, (uintptr_t)srcHost, ByteCount, hStream);
}

CUresult do_cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr_v2 srcDevice, size_t ByteCount, CUstream hStream)
{
	return copy((uintptr_t)dstHost, srcDevice, ByteCount, hStream);
}

CUresult do_cuMemcpyDtoDAsync_v2(CUdeviceptr_v2 dstDevice, CUdeviceptr_v2 srcDevice, size_t ByteCount, CUstream hStream)
{
	return copy(dstDevice, srcDevice, ByteCount, hStream);
}

CUresult do_cuMemcpyPeerAsync(CUdeviceptr_v2 dstDevice, CUcontext dstContext, CUdeviceptr_v2 srcDevice, CUcontext srcContext,
			      size_t ByteCount, CUstream hStream)
{
	return copy(dstDevice, srcDevice, ByteCount, hStream);
}

/* ---- many at once ---- */

static int batch(const CUdeviceptr_v2 *to, const CUdeviceptr_v2 *from, const size_t *sizes, size_t n, size_t *failed, CUstream stream)
{
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		rc = copy(to[i], from[i], sizes[i], stream);
		if (rc && failed)
			*failed = i;
	}
	return rc;
}

/* There are some, and the first of them is for the first copy. */
static bool attributes(const CUmemcpyAttributes_v1 *attrs, const size_t *indices, size_t n)
{
	return attrs && indices && n && !indices[0];
}

CUresult do_cuMemcpyBatchAsync(CUdeviceptr_v2 *dsts, CUdeviceptr_v2 *srcs, size_t *sizes, size_t count, CUmemcpyAttributes_v1 *attrs,
			       size_t *attrIdxs, size_t numAttrs, size_t *failIdx, CUstream hStream)
{
	return attributes(attrs, attrIdxs, numAttrs) ? batch(dsts, srcs, sizes, count, failIdx, hStream) : SIM_ERROR_INVALID_VALUE;
}

CUresult do_cuMemcpyBatchAsync_v2(CUdeviceptr_v2 *dsts, CUdeviceptr_v2 *srcs, size_t *sizes, size_t count, CUmemcpyAttributes_v1 *attrs,
				  size_t *attrIdxs, size_t numAttrs, CUstream hStream)
{
	return attributes(attrs, attrIdxs, numAttrs) ? batch(dsts, srcs, sizes, count, NULL, hStream) : SIM_ERROR_INVALID_VALUE;
}

/* ---- rectangles; no arrays ---- */

static int copy_2d(const CUDA_MEMCPY2D_v2 *c, CUstream given)
{
	char *to = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : (char *)c->dstDevice;
	const char *from = c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : (const char *)c->srcDevice;
	size_t to_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes, from_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes;
	void *stream;
	int rc = into(given, &stream);

	if (rc)
		return rc;
	if (c->dstMemoryType == CU_MEMORYTYPE_ARRAY || c->srcMemoryType == CU_MEMORYTYPE_ARRAY)
		return SIM_ERROR_NOT_SUPPORTED;
	return sim_copy_2d(to + c->dstY * to_pitch + c->dstXInBytes, to_pitch, from + c->srcY * from_pitch + c->srcXInBytes, from_pitch,
			   c->WidthInBytes, c->Height, stream);
}

CUresult do_cuMemcpy2D_v2(const CUDA_MEMCPY2D_v2 *pCopy)
{
	return copy_2d(pCopy, NULL);
}

CUresult do_cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D_v2 *pCopy)
{
	return copy_2d(pCopy, NULL);
}

CUresult do_cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D_v2 *pCopy, CUstream hStream)
{
	return copy_2d(pCopy, hStream);
}

/* As one rectangle: its slices lie behind each other. */
static int copy_3d(const CUDA_MEMCPY3D_v2 *c, CUstream given)
{
	CUDA_MEMCPY2D_v2 flat = { .srcMemoryType = c->srcMemoryType,
				  .srcHost = c->srcHost,
				  .srcDevice = c->srcDevice,
				  .srcPitch = c->srcPitch,
				  .dstMemoryType = c->dstMemoryType,
				  .dstHost = c->dstHost,
				  .dstDevice = c->dstDevice,
				  .dstPitch = c->dstPitch,
				  .WidthInBytes = c->WidthInBytes,
				  .Height = c->Height * c->Depth };

	return copy_2d(&flat, given);
}

CUresult do_cuMemcpy3D_v2(const CUDA_MEMCPY3D_v2 *pCopy)
{
	return copy_3d(pCopy, NULL);
}

CUresult do_cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D_v2 *pCopy, CUstream hStream)
{
	return copy_3d(pCopy, hStream);
}

/* ---- fills: as the driver, without waiting ---- */

static int fill(CUdeviceptr_v2 to, uint32_t value, size_t unit, size_t n, CUstream given)
{
	uint32_t all = unit == 1 ? (value & 255) * 0x01010101u : unit == 2 ? (value & 65535) * 0x10001u
									   : value;
	void *stream;
	int rc = into(given, &stream);

	if (rc || !n)
		return rc;
	if (unit == 1 || (unit * n) % 4)
		return sim_fill((void *)to, unit * n, (int)(value & 255), unit * n, stream);
	return sim_fill32((void *)to, unit * n, all, unit * n / 4, stream);
}

#define FILL(unit, type)                                                                                     \
	CUresult do_cuMemsetD##unit##_v2(CUdeviceptr_v2 dstDevice, type value, size_t N)                     \
	{                                                                                                    \
		return fill(dstDevice, value, unit / 8, N, NULL);                                            \
	}                                                                                                    \
	CUresult do_cuMemsetD##unit##Async(CUdeviceptr_v2 dstDevice, type value, size_t N, CUstream hStream) \
	{                                                                                                    \
		return fill(dstDevice, value, unit / 8, N, hStream);                                         \
	}
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned int)

/* Rows; one piece of work each. */
static int fill_2d(CUdeviceptr_v2 to, size_t pitch, uint32_t value, size_t unit, size_t width, size_t height, CUstream stream)
{
	int rc = 0;

	for (size_t row = 0; row < height && !rc; row++)
		rc = fill(to + row * pitch, value, unit, width, stream);
	return rc;
}

#define FILL_2D(unit, type)                                                                                                      \
	CUresult do_cuMemsetD2D##unit##_v2(CUdeviceptr_v2 dstDevice, size_t dstPitch, type value, size_t Width, size_t Height)   \
	{                                                                                                                        \
		return fill_2d(dstDevice, dstPitch, value, unit / 8, Width, Height, NULL);                                       \
	}                                                                                                                        \
	CUresult do_cuMemsetD2D##unit##Async(CUdeviceptr_v2 dstDevice, size_t dstPitch, type value, size_t Width, size_t Height, \
					     CUstream hStream)                                                                   \
	{                                                                                                                        \
		return fill_2d(dstDevice, dstPitch, value, unit / 8, Width, Height, hStream);                                    \
	}
FILL_2D(8, unsigned char)
FILL_2D(32, unsigned int)
