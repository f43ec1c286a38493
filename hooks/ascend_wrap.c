/* ascend_wrap.c - the exported functions of Ascend: the rows of acl.def and its like, wrapped. */
#include "hooks/ascend_words.h"
#include "hooks/acl.def"
#include "hooks/ascend_rt.def"
#include "hooks/ascend_ops.def"
#include "hooks/tensors.def"
#include "hooks/hccl.def"
#include "hooks/lccl.def"
#include "hooks/shmem.def"
