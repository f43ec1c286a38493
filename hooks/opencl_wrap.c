/* opencl_wrap.c - the exported functions of the OpenCL rows. */
#include "hooks/opencl_words.h"
#include "hooks/opencl.def"
#include "hooks/opencl_ext.def"
