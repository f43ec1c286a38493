/* wrap.c - the exported functions of roctx's rows. */
#include "hooks/hip/roctx/words.h"
#include "hooks/hip/roctx/roctx.def"
