/* torch_npu_gate.h - what torch_npu tells, and whether it asks us first. */
#pragma once
#include <stdbool.h>
#include "hooks/ascend/abi/abi.h"

/* Does torch_npu tell of markers (msptiActivityIsEnabled)? Where nobody else wants them, in windows only. */
bool torch_npu_gate_wants(msptiActivityKind way);

/* Is torch_npu here, which launches from a thread of its own, unless it was told not to? */
bool torch_npu_has_queue(void);

/* A session has begun: writes down which gates of torch_npu stand open, where there is an Ascend environment. */
void torch_npu_gate_note(void);

/* A library was opened since: torch_npu, which now tells whether it asks? */
void torch_npu_gate_look_again(void);
