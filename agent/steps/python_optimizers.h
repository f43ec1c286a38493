/* python_optimizers.h - PyTorch's optimizers tell of their steps: those of a round are a step, see optimizer_rounds.h. */
#pragma once
#include <stdbool.h>
#include "agent/format/causes.h"
#include "agent/steps/python_api.h"

/* They are this step source; before shim_ask(). */
void optimizers_watch(unsigned int source);
bool optimizers_watched(void);

/* What python_shim.py calls. */
bool optimizers_give(void *dictionary);

/* Why none has stepped, once the shim runs. */
enum session_cause optimizers_why(void);
bool optimizers_have_torch(void);

void optimizers_forget(void); /* in a forked child */
