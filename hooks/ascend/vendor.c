/* vendor.c - Ascend among the vendors: what it does besides its rows. */
#include "hooks/ascend/aclnn/aclnn.h"
#include "hooks/ascend/aclnn/shapes.h"
#include "hooks/ascend/mstx/mstx.h"
#include "hooks/link/vendor.h"

const struct vendor ascend_vendor = {
	.name = "ascend",
	.started = mstx_note_gate,
	.libraries_changed = mstx_look_again,
	.thread_ends = shapes_thread_ends,
	.handout = aclnn_handout,
};
