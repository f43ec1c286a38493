/* types.h - the types that options.def speaks of: one struct option_type each. */
#pragma once
#include "config/option.h"

extern const struct option_type type_BOOL, type_PATH, type_NUMBERS, type_STEP, type_LEVEL,
	type_CONTENTS, type_SOURCES, type_SIZE, type_MEMORY, type_NAME, type_GATE, type_DIGIT;
