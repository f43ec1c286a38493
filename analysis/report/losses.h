/* losses.h - is anything of a process lost, or not saved yet? */
#pragma once
#include "analysis/report/report.h"

bool losses_any(const struct report *r);
