/* vendor.c - OpenCL among the vendors: its rows say all. */
#include "hooks/link/vendor.h"

const struct vendor opencl_vendor = { .name = "opencl" };
