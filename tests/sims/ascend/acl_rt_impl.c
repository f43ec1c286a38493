/* acl_rt_impl.c - what the thin libacl_rt.so calls. */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/lib/sim.h"

aclError do_aclrtLaunchKernelImpl(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize, aclrtStream stream)
{
	return sim_launch(funcHandle, stream, argsData, argsSize);
}

aclError do_aclrtLaunchKernelV2Impl(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
				    aclrtLaunchKernelCfg *cfg, aclrtStream stream)
{
	return sim_launch(funcHandle, stream, argsData, argsSize);
}

aclError do_aclrtLaunchKernelWithConfigImpl(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
					    aclrtArgsHandle argsHandle, void *reserve)
{
	return sim_launch(funcHandle, stream, NULL, 0);
}

aclError do_aclrtLaunchKernelWithHostArgsImpl(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
					      void *hostArgs, size_t argsSize, aclrtPlaceHolderInfo *placeHolderArray, size_t placeHolderNum)
{
	return sim_launch(funcHandle, stream, hostArgs, argsSize);
}
