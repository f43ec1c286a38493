/*
 * symbol.h - the step source symbol:LIB:NAME@entry|return. Calls that cross from one object to
 * another go through a pointer in the caller's tables; that pointer is led through a probe.
 */
#pragma once
#include "agent/own.h"

#define SYMBOL_PROBES 8	   /* as many as there may be step sources; symbol.S */
#define SYMBOL_COPIED 1024 /* bytes of stack arguments that a call may have; symbol.S */

/* For the constructor: a symbol source counts from the very first call. */
void symbol_early(void);

/* Leads the calls of libraries that came later through the probes, too. Cheap if nothing is new. */
void symbol_arm(void);

bool symbol_wanted(void);

/* Is this the name of a step source? Libraries that came since the last look are seen to first. */
bool symbol_named(const char *name);

/* dlsym would answer this for a name: the probe if it is a step source, or NULL. */
void *symbol_probe(void *answer, const char *name);
