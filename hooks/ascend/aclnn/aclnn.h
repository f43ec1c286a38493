/* aclnn.h - operators: functions called aclnnXxx and aclnnXxxGetWorkspaceSize, known to nobody before they are looked up. */
#pragma once
#include <stdint.h>

/*
 * Our way into an operator that a look-up found: a trampoline, or NULL if the name is no operator's, or there are no more
 * trampolines (then the truth is handed out).
 */
void *aclnn_handout(const char *name, void *real);

/* Of an operator whose second phase is a row: the DEF_LAUNCH id that its first phase left; what joins the two in the trace. */
uint64_t aclnn_planned(const void *plan, const char *name);
uint64_t aclnn_plan_arg(const void *plan);
void aclnn_plan_run(void); /* behind aclnn_planned(), when the call has been recorded */
