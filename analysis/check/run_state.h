/* run_state.h - says all that is known of a run. */
#pragma once
#include <stdbool.h>

#include "analysis/run/run_json.h"

/* True: nothing is missing. sources: also what its processes heard, see heard.h. */
bool run_state_say(const struct run *r, bool sources);
