/* source_symbol.h - the step source symbol:LIB:NAME@entry|return, told by the probes of hooks/link. */
#pragma once
#include <stdbool.h>

/* The symbol of this source was entered, or returned. */
void source_symbol_passed(unsigned int source, bool at_return);

/* Its library is loaded, and has the function, or has not. */
void source_symbol_looked(unsigned int source, bool there);
