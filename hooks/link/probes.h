/*
 * probes.h - the step source symbol:LIB:NAME@entry|return. Calls that cross from one object to
 * another go through a pointer in the caller's tables; that pointer is led through a probe, which goes on to
 * where the pointer led: our wrapper, if the function has a row.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROBE_STUBS  72	  /* a source has one for each place that its pointers led to; probes.S */
#define PROBE_COPIED 1024 /* bytes of stack arguments that a call may have; probes.S */

/* For the constructor: a symbol source counts from the very first call. */
void probes_early(void);

/* Leads the calls of libraries that came later through the probes, too. Cheap if nothing is new. */
void probes_arm(void);

bool probes_wanted(void);

/* Is this the name of a step source in a library that is loaded? */
bool probes_named(const char *name);

/* The probe for who would get `target`, which leads to the function `real`. NULL: that is no step source. */
void *probes_find(const char *name, const void *real, void *target);

/* The probe for who asks for the next function of this name, which has no row, behind itself. NULL: that is no step source. */
void *probes_next(const char *name, const void *caller);

/* The probe for who is at this address and would get our exported function of this row, or NULL. */
void *probes_linked(int hook, const void *caller);
