/* interpolation.h - what ${a.b}, ${.c}, ${oc.select:a.b,default}, ${oc.env:NAME,default} of OmegaConf, and text around them, stand for in a tree. */
#pragma once
#include "config/load/tree.h"

/*
 * The node that is meant: n itself unless it holds an interpolation. NULL: nothing stands there, or it cannot be looked into
 * (${now:%Y}, a variable that is not set); t->unknown is that text then.
 */
const struct node *interpolate(struct tree *t, const struct node *n);

/* The node at a.b.c, through interpolations on the way and at its end. NULL as above. */
const struct node *interpolate_path(struct tree *t, const char *path);
