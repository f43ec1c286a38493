/*
 * vendor.c - every vendor's functions in one library, made from the rows: each answers success, or a new object, and does
 * nothing. What a runtime is asked for a name has one of the length that was set.
 */
#include <string.h>
#include "tests/fuzz/rows/rows.h"

struct vendor_name vendor_name;

/* Objects that nobody may look into; few, so that what is known of them stays little. */
static uintptr_t object(void)
{
	static uintptr_t objects;

	return 0x100000 + 64 * (objects++ % 4096);
}

/* The parameters of a row are the prototype's: what is returned tells which form it has. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#define ANSWERS(ret, sym, params, what) \
	ret sym params;                 \
	ret sym params                  \
	{                               \
		return (ret)(what);     \
	}
#define HOOK(ret, sym, params, ...)	ANSWERS(ret, sym, params, 0)
#define HOOK_ANSWER			HOOK
#define HOOK_CUSTOM			HOOK
#define HOOK_PTR(ret, sym, params, ...) ANSWERS(ret, sym, params, object())
#define HOOK_PTR0			HOOK_PTR
#define HOOK_VALUE			HOOK_PTR
#define HOOK_CUSTOM_PTR			HOOK_PTR
#define HOOK_VOID(sym, params, args, ...) \
	void sym params;                  \
	void sym params                   \
	{                                 \
	}
#define HOOK_QUIET	 HOOK_VOID
#define HOOK_DOUBLE	 HOOK
#define HOOK_DOUBLE_VOID HOOK_VOID
#include "hooks/rows/vendors.def"

/* ---- no rows: what the agent asks ---- */

static int answer(char *to, size_t room, size_t *length)
{
	if (length)
		*length = vendor_name.length + 1;
	if (to && room <= vendor_name.length)
		return -1;
	if (to)
		memcpy(to, vendor_name.text, vendor_name.length + 1);
	return 0;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_uint what, size_t size, void *value, size_t *length)
{
	return what == CL_KERNEL_FUNCTION_NAME ? answer(value, size, length) : CL_INVALID_VALUE;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_uint what, size_t size, void *value, size_t *length)
{
	return what == CL_DEVICE_NAME ? answer(value, size, length) : CL_INVALID_VALUE;
}

cl_int clGetProgramInfo(cl_program program, cl_uint what, size_t size, void *value, size_t *length)
{
	size_t kernels = vendor_name.length;

	if (what != CL_PROGRAM_NUM_KERNELS || size < sizeof(kernels))
		return CL_INVALID_VALUE;
	memcpy(value, &kernels, sizeof(kernels));
	return 0;
}

aclError aclrtGetFunctionName(aclrtFuncHandle function, uint32_t room, char *name)
{
	return answer(name, room, NULL);
}

/* 128 bytes, by its contract. */
HcclResult HcclGetCommName(HcclComm comm, char *name)
{
	return answer(name, 128, NULL);
}

/* Beyond all room it says nothing. */
const char *aclrtGetSocName(void)
{
	return vendor_name.text;
}

/* ---- operators are no rows ---- */

int aclnnFuzzGetWorkspaceSize(const aclTensorList *list, uint64_t *bytes, aclOpExecutor **plan)
{
	*bytes = 0;
	*plan = (aclOpExecutor *)object();
	return 0;
}

int aclnnFuzz(void *workspace, uint64_t bytes, aclOpExecutor *plan, aclrtStream stream)
{
	return 0;
}
