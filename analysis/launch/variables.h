/* variables.h - settings as RANKTRACE_NAME=value lines. */
#pragma once
#include <stdio.h>

#include "config/config.h"

/* plain: without quotes, for who takes them for letters. inner: with what ranktrace-run alone has a use for. */
void variables_print(const struct config *c, bool plain, bool inner);

/* As a shell reads it back; plain: without quotes. */
void variables_put_value(FILE *out, const char *text, bool plain);
