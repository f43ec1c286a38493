/* page_of.h - the page of what a command line names. */
#pragma once
#include "analysis/commands/arguments.h"
#include "analysis/util/out.h"

/* Roles were asked for, of which a page does not tell; that is said. */
bool page_of_refuses(const struct arguments *a);

enum page_of {
	PAGE_WHOLE,
	PAGE_LACKS,  /* something, as the report does */
	PAGE_OF_NONE /* there is nothing that it could be of, and nothing was written */
};

/* What is missing was said on stderr. */
enum page_of page_of(struct out *o, const struct arguments *a);
