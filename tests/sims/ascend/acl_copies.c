/* acl_copies.c - AscendCL: copies and fills. */
#include "tests/sims/ascend/below.h"
#include "tests/sims/lib/copies.h"

aclError do_aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind way)
{
	return BELOW(rtMemcpy(dst, destMax, src, count, way), sim_copy(dst, destMax, src, count, SIM_NOW));
}

aclError do_aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind way, aclrtStream stream)
{
	return BELOW(rtMemcpyAsync(dst, destMax, src, count, way, stream), sim_copy(dst, destMax, src, count, stream));
}

aclError do_aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind way, aclrtStream stream)
{
	return do_aclrtMemcpyAsync(dst, destMax, src, count, way, stream);
}

aclError do_aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind way)
{
	return sim_copy_2d(dst, dpitch, src, spitch, width, height, SIM_NOW);
}

aclError do_aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
			       aclrtMemcpyKind way, aclrtStream stream)
{
	return BELOW(rtMemcpy2dAsync(dst, dpitch, src, spitch, width, height, way, stream),
		     sim_copy_2d(dst, dpitch, src, spitch, width, height, stream));
}

/* ---- many at once ---- */

static int copy_all(void **dsts, const size_t *rooms, void **srcs, const size_t *sizes, size_t n, size_t *failed, void *stream)
{
	int rc = 0;

	if (!dsts || !rooms || !srcs || !sizes || !n)
		return SIM_ERROR_RT_PARAM_INVALID;
	for (size_t i = 0; i < n && !rc; i++) {
		rc = sim_copy(dsts[i], rooms[i], srcs[i], sizes[i], stream);
		if (rc && failed)
			*failed = i;
	}
	return rc;
}

aclError do_aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
			     aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex)
{
	return copy_all(dsts, destMaxs, srcs, sizes, numBatches, failIndex, SIM_NOW);
}

aclError do_aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
				  aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
				  aclrtStream stream)
{
	return copy_all(dsts, destMaxs, srcs, sizes, numBatches, failIndex, stream);
}

aclError do_aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
			       aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs)
{
	return copy_all(dsts, destMaxs, srcs, sizes, numBatches, NULL, SIM_NOW);
}

aclError do_aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
				    aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, aclrtStream stream)
{
	return copy_all(dsts, destMaxs, srcs, sizes, numBatches, NULL, stream);
}

/* ---- fills ---- */

aclError do_aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
	return BELOW(rtMemset(devPtr, maxCount, (uint32_t)value, count), sim_fill(devPtr, maxCount, value, count, SIM_NOW));
}

aclError do_aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream)
{
	return BELOW(rtMemsetAsync(devPtr, maxCount, (uint32_t)value, count, stream),
		     sim_fill(devPtr, maxCount, value, count, stream));
}

aclError do_aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N)
{
	return sim_fill32(ptr, memSize, value, N, SIM_NOW);
}

aclError do_aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream)
{
	return sim_fill32(ptr, memSize, value, N, stream);
}
