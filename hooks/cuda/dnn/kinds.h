/* kinds.h - which kind of event the capture words of cuDNN tell of (words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

#define KIND_DNN(...)	 EV_OPERATOR
#define KIND_DNN_ON(...) EV_OPERATOR
