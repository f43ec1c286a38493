/* trainer_told.h - what a trainer's own settings came to, in plain words. */
#pragma once
#include "config/loader.h"

/* Says it in a line, as far as it is what c has in the end: of what somebody has said besides there is nothing to be told. */
void trainer_tell(const struct loader_told *told, const struct config *c, void (*say)(const char *line));
