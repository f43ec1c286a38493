/* ascend_wrap.c - the exported functions of Ascend: the rows of acl.def, ascend_rt.def and hccl.def, wrapped. */
#include "hooks/ascend_words.h"
#include "hooks/acl.def"
#include "hooks/ascend_rt.def"
#include "hooks/hccl.def"
