/* wrap_tensors.c - the exported functions of tensors.def. Each operator that is called has several: what they do stands in them. */
#define BODY_IN_LINE
#include "hooks/ascend/words.h"
#include "hooks/ascend/aclnn/tensors.def"
