/* hydra.h - the words of a command of Hydra's: a.b=v, +a.b=v, ++a.b=v, ~a.b. */
#pragma once
#include "config/load/tree.h"

/* Lays a word over the tree; what is no override, or chooses a file of a group, changes nothing. NULL, or what is wrong with it. */
const char *hydra_word(struct tree *t, const char *word);

/* Reads a value as Hydra's grammar has it: 'text', [1,2], {a: 1}, null. NULL, or what is wrong with it. */
const char *hydra_value(struct tree *t, struct node *n, const char *text);
