/* variables.h - settings as RANKTRACE_NAME=value lines. */
#pragma once
#include "config/config.h"

/* plain: without quotes, for who takes them for letters. inner: with what ranktrace-run alone has a use for. */
void variables_print(const struct config *c, bool plain, bool inner);
void variables_print_value(const char *text, bool plain);
