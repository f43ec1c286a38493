/* heard.h - what each process of a run heard of steps, stages and batches, and by which sources. */
#pragma once
#include "analysis/run/run_json.h"

void heard_say(const struct run *r);
