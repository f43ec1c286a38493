/* preset.h - which functions of a framework tell steps, stages, mini- and micro-batches: presets.def, by name. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "config/config.h"

struct preset {
	const char *name;    /* verl-0.8 */
	const char *package; /* as its distribution is called: verl */
	const char *from;    /* the first version that it fits: 0.8 */
	const char *to;	     /* the last line of releases that was looked at: 0.9 */
	const char *help;
};

/* In their order, a NULL name at the end. */
extern const struct preset presets[];

/* Their names, NULL at the end. A package's name stands for the one that fits. */
extern const char *const preset_words[];

/* Of that name, or of that package the newest; NULL: there is none. */
const struct preset *preset_find(const char *name);

/* Of this package the one for this version, such as 0.9.1; of an older one than all the oldest. */
const struct preset *preset_for(const char *package, const char *version);

/* Has somebody looked at that version? Of others the preset is the nearest there is. */
bool preset_knows(const struct preset *p, const char *version);

/* Of a name that is none: of package-version the one that fits, else the one that looks most like it; NULL: none does. */
const char *preset_near(const char *name);

/* Fills in what c->preset says and the user has not. */
void preset_expand(struct config *c);
