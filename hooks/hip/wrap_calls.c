/* wrap_calls.c - the exported functions of HIP's rows that launch no kernels. */
#define ROWS_ARE_MANY
#include "hooks/hip/words.h"
#include "hooks/hip/runtime.def"
