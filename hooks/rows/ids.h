/* ids.h - a reading of the rows: a number for every entry point. */
#pragma once
#include "agent/format/event.h"
#include "agent/format/limits.h"

#include "hooks/rows/one_form.h"
#define HOOK(ret, sym, ...) HOOK_##sym,
#define HOOK_AS(sym, kind)  HOOK_##sym##_as_##kind,
#define HOOK_ANY(sym, ...)  HOOK_##sym,
enum hook_id {
#include "hooks/rows/vendors.def"
	HOOK_COUNT
};

_Static_assert(HOOK_COUNT <= HOOKS_MOST && HOOKS_MOST < CTRL_FIRST, "the session counts for each row, slots have its number");
