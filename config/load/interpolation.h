/* interpolation.h - what ${a.b}, ${.c} and ${oc.select:a.b,default} of OmegaConf stand for in a tree. */
#pragma once
#include "config/load/tree.h"

/*
 * The node that is meant: n itself unless it is one interpolation. NULL: nothing stands there, or it cannot be looked into
 * (${oc.env:HOME}, text around it); t->unknown is that text then.
 */
const struct node *interpolate(struct tree *t, const struct node *n);

/* The node at a.b.c, through interpolations on the way and at its end. NULL as above. */
const struct node *interpolate_path(struct tree *t, const char *path);
