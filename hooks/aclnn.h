/* aclnn.h - operators: functions called aclnnXxx and aclnnXxxGetWorkspaceSize, known to nobody before they are looked up. */
#pragma once

/*
 * Our way into an operator that a look-up found: a thunk, or NULL if the name is no operator's, or there are no more
 * thunks (then the truth is handed out).
 */
void *aclnn_handout(const char *name, void *real);
