/* source_symbol.h - the step source symbol:LIB:NAME@entry|return. Who leads calls through a place where they are seen: hooks/link. */
#pragma once
#include <stdbool.h>

/* The symbol of this source was entered, or returned. */
void source_symbol_passed(unsigned int source, bool at_return);
