/* driver_devices.c - devices and what they are, and the driver's words. */
#include "tests/sims/cuda/driver.h"
#include <stdio.h>
#include <string.h>

static bool initialised;

int driver_ready(void)
{
	return initialised ? 0 : SIM_ERROR_NOT_INITIALIZED;
}

CUresult do_cuInit(unsigned int Flags)
{
	initialised = true;
	return Flags ? SIM_ERROR_INVALID_VALUE : 0;
}

CUresult do_cuDriverGetVersion(int *driverVersion)
{
	*driverVersion = (int)sim_setting("SIM_CUDA_VERSION", 13000);
	return 0;
}

CUresult do_cuDeviceGetCount(int *count)
{
	*count = sim_devices();
	return driver_ready();
}

CUresult do_cuDeviceGet(CUdevice_v1 *device, int ordinal)
{
	if (ordinal < 0 || ordinal >= sim_devices())
		return SIM_ERROR_INVALID_DEVICE;
	*device = ordinal;
	return driver_ready();
}

int driver_device(int device)
{
	return device < 0 || device >= sim_devices() ? SIM_ERROR_INVALID_DEVICE : 0;
}

CUresult do_cuDeviceGetName(char *name, int len, CUdevice_v1 dev)
{
	snprintf(name, (size_t)len, "simulated device");
	return driver_device(dev);
}

CUresult do_cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice_v1 dev)
{
	memset(uuid, 7 + dev, sizeof(*uuid));
	return driver_device(dev);
}

CUresult do_cuDeviceGetUuid(CUuuid *uuid, CUdevice_v1 dev)
{
	return do_cuDeviceGetUuid_v2(uuid, dev);
}

CUresult do_cuDeviceTotalMem_v2(size_t *bytes, CUdevice_v1 dev)
{
	sim_memory_left(NULL, bytes);
	return driver_device(dev);
}

CUresult do_cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice_v1 dev)
{
	snprintf(pciBusId, (size_t)len, "0000:%02x:00.0", dev + 1);
	return driver_device(dev);
}

CUresult do_cuDeviceGetByPCIBusId(CUdevice_v1 *dev, const char *pciBusId)
{
	unsigned int bus = 0;

	if (sscanf(pciBusId, "0000:%x:", &bus) != 1)
		return SIM_ERROR_INVALID_VALUE;
	return do_cuDeviceGet(dev, (int)bus - 1);
}

CUresult do_cuDeviceComputeCapability(int *major, int *minor, CUdevice_v1 dev)
{
	*major = 9;
	*minor = 0;
	return driver_device(dev);
}

CUresult do_cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice_v1 dev, CUdevice_v1 peerDev)
{
	*canAccessPeer = dev != peerDev;
	return driver_device(dev) ? SIM_ERROR_INVALID_DEVICE : driver_device(peerDev);
}

/* Numbers as an H100 has them, where anybody asks. */
CUresult do_cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice_v1 dev)
{
	static const int known[][2] = {
		{ 1, 1024 }, { 2, 1024 }, { 3, 1024 }, { 4, 64 }, { 5, 2147483647 }, { 6, 65535 }, { 7, 65535 }, { 8, 49152 }, { 9, 65536 }, { 10, 32 }, { 11, 2147483647 }, { 12, 65536 }, { 13, 1700000 }, { 14, 512 }, { 16, 132 }, { 31, 1 }, { 36, 2600000 }, { 37, 5120 }, { 38, 52428800 }, { 39, 2048 }, { 40, 3 }, { 41, 1 }, { 75, 9 }, { 76, 0 }, { 78, 1 }, { 81, 233472 }, { 82, 65536 }, { 83, 1 }, { 89, 1 }, { 95, 1 }, { 97, 232448 }, { 102, 1 }, { 106, 32 }, { 111, 1024 }, { 115, 1 }
	};

	if (attrib == 33)
		*pi = dev + 1; /* the bus */
	else
		*pi = 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i][0] == attrib)
			*pi = known[i][1];
	return driver_device(dev);
}

/* ---- words ---- */

CUresult do_cuGetErrorName(CUresult error, const char **pStr)
{
	*pStr = error ? "CUDA_ERROR_SIMULATED" : "CUDA_SUCCESS";
	return 0;
}

CUresult do_cuGetErrorString(CUresult error, const char **pStr)
{
	*pStr = error ? "simulated error" : "no error";
	return 0;
}

CUresult do_cuProfilerStart(void)
{
	return 0;
}

CUresult do_cuProfilerStop(void)
{
	return 0;
}
