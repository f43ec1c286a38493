/* load.h - how a program gets its kernels, by the runtime or (DRIVER) the driver. Included behind declare.h. */
#pragma once
#include "tests/sims/cuda/ok.h"

#ifdef DRIVER
/* The context that is made for it on the first device, and is this thread's. */
static CUcontext load_kernels(const struct sim_image *image, const struct sim_kernel *code, CUfunction *functions)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate_v2(&context, 0, device));
	OK(cuModuleLoadData(&module, image));
	for (int i = 0; code[i].name; i++)
		OK(cuModuleGetFunction(&functions[i], module, code[i].name));
	return context;
}
#else
/* As nvcc has it done: the address of each stub stands for a kernel. */
static void **register_kernels(const struct sim_fat_binary *fat, const char (*stubs)[16], const struct sim_kernel *code)
{
	void **handle = __cudaRegisterFatBinary((void *)fat);

	for (int i = 0; code[i].name; i++)
		__cudaRegisterFunction(handle, stubs[i], (char *)stubs[i], code[i].name, -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFatBinaryEnd(handle);
	return handle;
}
#endif
