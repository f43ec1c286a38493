/* kinds.h - HIP's sonames, and which kind of event its capture words tell of (hooks/hip/words.h: what they do). */
#pragma once
#include "hooks/capture/runtime/kinds.h"

#define HIP_FAMILY	      "libamdhip64"

#define KIND_EXT_LAUNCH(...)  EV_LAUNCH
#define KIND_ENTRY_POINT(...) EV_RESOLVE
