/* preset.h - which functions of a framework tell steps, stages, mini- and micro-batches: presets.def, by name. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "config/config.h"

struct preset {
	const char *name;    /* verl-0.8 */
	const char *package; /* whose version it is, as its distribution is called: verl */
	const char *from;    /* the first version that it fits: 0.8 */
	const char *to;	     /* the last line of releases that was looked at: 0.9 */
	const char *help;
};

/* In their order, a NULL name at the end. */
extern const struct preset presets[];

/* Their names, NULL at the end. Without a version behind it a name stands for the one that fits the installed package. */
extern const char *const preset_words[];

/* Of that name; or of those with a version behind it, or of that package, the newest; NULL: there is none. */
const struct preset *preset_find(const char *name);

/* Of those that differ from it in the version alone the one for this, such as 0.9.1; of an older one than all the oldest. */
const struct preset *preset_for(const struct preset *of, const char *version);

/* How many letters of its name stand before the version. */
size_t preset_kind(const struct preset *p);

/* Do both names mean presets that differ in the version alone? */
bool preset_is_like(const char *name, const char *other);

/* The names of those that differ from it in the version alone, each behind begin: "--preset verl-0.6 or --preset verl-0.7"; empty: there are none. */
void preset_others(const struct preset *p, const char *begin, char *text, size_t size);

/* Has somebody looked at that version? Of others the preset is the nearest there is. */
bool preset_knows(const struct preset *p, const char *version);

/* Of a name that is none: of one with a version the one that fits, and which versions it is for; else the one that looks most like it. False: none does. */
bool preset_near(const char *name, char *text, size_t size);

/* Fills in what c->preset says and the user has not. */
void preset_expand(struct config *c);
