/* nvtx_copy.c - a library with a copy of the real NVTX: hands its calls out. -DCALLS=name. */
#include "tests/programs/nvtx_copy.h"

const struct nvtx_copy CALLS = {
	nvtxDomainCreateA,
	nvtxDomainCreateW,
	nvtxDomainDestroy,
	nvtxDomainRegisterStringA,
	nvtxDomainRegisterStringW,
	nvtxMarkA,
	nvtxMarkW,
	nvtxMarkEx,
	nvtxDomainMarkEx,
	nvtxRangePushA,
	nvtxRangePushW,
	nvtxRangePushEx,
	nvtxRangePop,
	nvtxDomainRangePushEx,
	nvtxDomainRangePop,
	nvtxRangeStartA,
	nvtxRangeStartW,
	nvtxRangeStartEx,
	nvtxRangeEnd,
	nvtxDomainRangeStartEx,
	nvtxDomainRangeEnd,
};
