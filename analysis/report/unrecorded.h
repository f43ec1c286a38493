/* unrecorded.h - calls that level or contents left out: the facts unrecorded.<entry point>. */
#pragma once
#include "analysis/report/report.h"

/* The entry point that this fact counts left-out calls of; NULL: it is another fact. */
const char *unrecorded_name(const struct key_value *fact);

/* How many there are, and what brings them; nothing where none were left out. */
void unrecorded_line(struct out *o, const struct report *r);
