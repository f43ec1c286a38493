/* kinds.h - NCCL's sonames, and which kind of event its capture words tell of (hooks/cuda/nccl/words.h: what they do). */
#pragma once
#include "hooks/capture/runtime/kinds.h"

#define NCCL_FAMILY	       "libnccl librccl"

#define KIND_COLLECTIVE(...)   EV_COLLECTIVE
#define KIND_GROUP_START(...)  EV_COMMUNICATOR
#define KIND_GROUP_END(...)    EV_COLLECTIVE
#define KIND_COMM_NEW(...)     EV_COMMUNICATOR
#define KIND_COMM_ALL(...)     EV_COMMUNICATOR
#define KIND_COMM_END(...)     EV_COMMUNICATOR
#define KIND_COMMUNICATOR(...) EV_COMMUNICATOR
