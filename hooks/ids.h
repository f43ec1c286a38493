/* ids.h - first reading of the rows: a number for every entry point. */
#pragma once

#include "hooks/alike.h"
#define HOOK(ret, sym, ...) HOOK_##sym,
#define HOOK_AS(sym, kind)  HOOK_##sym##_as_##kind,
#define HOOK_ANY(sym, ...)  HOOK_##sym,
enum hook_id {
#include "hooks/all.def"
	HOOK_COUNT
};
#include "hooks/again.h"
