/* calls_now.h - where a process that hangs hangs. */
#pragma once
#include "analysis/session/recover.h"

/* The calls that its threads are in, a line each, behind these words. */
void calls_now_say(const struct session_entry *e, const struct recovered *found, const char *prefix);
