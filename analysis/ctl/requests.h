/* requests.h - starts, stops and marks that `ranktrace ctl` asks for: what was reached, or why not, is said. */
#pragma once
#include "analysis/ctl/asked.h"

/* Were all reached in time? */
bool asked_start(struct asked *c);
bool asked_stop(struct asked *c);
bool asked_mark(struct asked *c);
