/* info.h - profiler_info_<rank>.json and profiler_metadata.json: who was recorded, and how. */
#pragma once
#include "analysis/export/ascend/ascend.h"

void info_put(struct ascend *a);

/* {"name": {"group_name": ..}}: the groups that this process communicated in. */
void info_groups(struct out *o, const struct process *p);
