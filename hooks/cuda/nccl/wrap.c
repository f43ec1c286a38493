/* wrap.c - the exported functions of NCCL's rows, which are RCCL's, too. */
#include "hooks/cuda/nccl/words.h"
#include "hooks/cuda/nccl/nccl.def"
