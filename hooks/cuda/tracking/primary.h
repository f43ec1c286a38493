/* primary.h - devices' own contexts, which end when the last who retained them releases them. */
#pragma once
#include "hooks/cuda/abi/abi.h"

/* It was given out. */
void cuda_primary_is(CUdevice_v1 device, CUcontext context);

/* The one that was given out last; NULL: none was. */
void *cuda_primary_of(CUdevice_v1 device);

/* Somebody has let go of it, maybe the last: the one that is no more then. */
void *cuda_primary_left(CUdevice_v1 device);
