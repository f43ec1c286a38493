/* status.h - where processes are that may be asked, a line each. */
#pragma once
#include "analysis/ctl/asked.h"

bool asked_status(struct asked *c);
