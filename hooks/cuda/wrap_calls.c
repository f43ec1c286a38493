/* wrap_calls.c - the exported functions of the runtime's and the driver's rows that launch no kernel (wrap.c), and of CUPTI's. */
#define ROWS_ARE_MANY
#include "hooks/cuda/words.h"
#include "hooks/cuda/runtime.def"
#include "hooks/cuda/registration.def"
#include "hooks/cuda/driver.def"
#include "hooks/cuda/time/cupti.def"
