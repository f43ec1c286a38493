/* arguments_opencl_rows.h - all rows of OpenCL, in whatever form they are asked for. */
#include "hooks/opencl/opencl.def"
#include "hooks/opencl/extensions.def"
