/* settings.h - what the user asked for, as agent_start() read it. */
#pragma once
#include "agent/base/attributes.h"
#include "config/config.h"

extern struct config settings OURS;
