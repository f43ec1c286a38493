/* ascend_wrap.c - the exported functions of Ascend: the rows of acl.def, ascend_rt.def, hccl.def, lccl.def and shmem.def, wrapped. */
#include "hooks/ascend_words.h"
#include "hooks/acl.def"
#include "hooks/ascend_rt.def"
#include "hooks/hccl.def"
#include "hooks/lccl.def"
#include "hooks/shmem.def"
