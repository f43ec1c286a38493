/*
 * symbol.h - the step source symbol:LIB:NAME@entry|return. Calls that cross from one object to
 * another go through a pointer in the caller's tables; that pointer is led through a probe.
 */
#pragma once
#include "agent/own.h"

#define SYMBOL_PROBES 8		/* as many as there may be step sources; symbol.S */

/* Called by the constructor: a symbol source counts from the very first call. */
void symbol_early(void);

/* Leads the calls of libraries that came later through the probes, too. Cheap if nothing is new. */
void symbol_arm(void);

bool symbol_wanted(void);

/* dlsym was asked for a symbol that is a step source: its probe, or NULL. */
void *symbol_probe(void *handle, const char *name);
