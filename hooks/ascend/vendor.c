/* vendor.c - Ascend among the vendors: what it does besides its rows. */
#include "hooks/ascend/aclnn/aclnn.h"
#include "hooks/ascend/aclnn/given.h"
#include "hooks/ascend/mstx/torch_npu_gate.h"
#include "hooks/ascend/time/time.h"
#include "hooks/link/vendor.h"

static void started(void)
{
	ascend_times_started();
	torch_npu_gate_note();
}

const struct vendor ascend_vendor = {
	.name = "ascend",
	.started = started,
	.libraries_changed = torch_npu_gate_look_again,
	.thread_ends = given_thread_ends,
	.launches_later = torch_npu_has_queue,
	.queue_thread = "acl_thread",
	.handout = aclnn_handout,
};
