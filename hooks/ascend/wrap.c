/* wrap.c - the exported functions of Ascend: the rows of acl.def and its like, wrapped. Those of tensors.def: wrap_tensors.c. */
#include "hooks/ascend/words.h"
#include "hooks/ascend/acl.def"
#include "hooks/ascend/runtime.def"
#include "hooks/ascend/operators.def"
#include "hooks/ascend/hccl/hccl.def"
#include "hooks/ascend/hccl/lccl.def"
#include "hooks/ascend/hccl/shmem.def"
#include "hooks/ascend/time/mspti.def"
