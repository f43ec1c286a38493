/* page_of.h - the page of what a command line names. */
#pragma once
#include "analysis/commands/arguments.h"
#include "analysis/util/out.h"

/* Roles were asked for, of which a page does not tell; that is said. */
bool page_of_refuses(const struct arguments *a);

/* False: something is missing from it, which was said on stderr. */
bool page_of(struct out *o, const struct arguments *a);
