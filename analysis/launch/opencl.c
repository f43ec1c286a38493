/* opencl.c - what OpenCL knows of a command before it runs. */
#include "analysis/launch/vendor.h"

const struct launch_vendor opencl_launch = { .without_preload = "those of OpenCL by OPENCL_LAYERS naming libranktrace.so" };
