/* acl_init.c - AscendCL: begin and end, devices, contexts, versions. */
#include "tests/sims/ascend/below.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic bool begun;

aclError do_aclInit(const char *configPath)
{
	return atomic_exchange(&begun, true) ? SIM_ERROR_REPEAT_INITIALIZE : 0;
}

aclError do_aclFinalize(void)
{
	begun = false;
	return 0;
}

aclError do_aclrtSetDevice(int32_t deviceId)
{
	return sim_set_device(deviceId);
}

aclError do_aclrtGetDevice(int32_t *deviceId)
{
	*deviceId = sim_device();
	return 0;
}

aclError do_aclrtGetDeviceCount(uint32_t *count)
{
	*count = (uint32_t)sim_devices();
	return 0;
}

aclError do_aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t *const logicDevId)
{
	*logicDevId = userDevid;
	return 0;
}

aclError do_aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t *const phyDevId)
{
	*phyDevId = logicDevId;
	return 0;
}

/* ---- contexts: one is made for each device, and by who asks ---- */

struct context {
	uint32_t magic;
	int device;
};

static __thread struct context *current;

aclError do_aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
	struct context *c = malloc(sizeof(*c));

	*c = (struct context){ SIM_CONTEXT, deviceId };
	*context = current = c;
	return sim_set_device(deviceId);
}

aclError do_aclrtDestroyContext(aclrtContext context)
{
	if (!sim_is(context, SIM_CONTEXT))
		return SIM_ERROR_RT_PARAM_INVALID;
	if (current == context)
		current = NULL;
	free(context);
	return 0;
}

aclError do_aclrtGetCurrentContext(aclrtContext *context)
{
	static struct context own[64];

	if (!current || current->device != sim_device()) {
		current = &own[sim_device()];
		*current = (struct context){ SIM_CONTEXT, sim_device() };
	}
	*context = current;
	return 0;
}

aclError do_aclrtSetCurrentContext(aclrtContext context)
{
	if (!sim_is(context, SIM_CONTEXT))
		return SIM_ERROR_RT_PARAM_INVALID;
	current = context;
	return sim_set_device(current->device);
}

/* ---- what it is ---- */

const char *do_aclrtGetSocName(void)
{
	return "Ascend910B4";
}

const char *do_aclGetRecentErrMsg(void)
{
	return "";
}

/* torch_npu takes anything it cannot read for older than 8.1.RC1. */
aclError do_aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version)
{
	memset(version, 0, sizeof(*version));
	strcpy(version->version, "8.5.0");
	return 0;
}

aclError do_aclsysGetVersionStr(char *pkgName, char *versionStr)
{
	strcpy(versionStr, "8.5.0");
	return 0;
}
