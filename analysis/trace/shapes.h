/* shapes.h - what tensors an operator was given, as text and as JSON. */
#pragma once
#include "analysis/trace/defs.h"
#include "analysis/util/out.h"

/* fp32[8,4];bf16[4,1]:NCHW;+2: a format other than ND is named; two more were there. */
void shapes_text(struct out *o, const struct shapes *shapes);

/* The same into a buffer, as far as there is room; SHAPES_LINE bytes are enough. */
#define SHAPES_LINE (SHAPES_TENSORS * 256)
void shapes_line(char *text, size_t size, const struct shapes *shapes);

/* [{"type":"fp32","format":"ND","dims":[8,4]}] */
void shapes_json(struct out *o, const struct shapes *shapes);

/* [8,4] */
void shapes_dimensions(struct out *o, const struct def_tensor *t);
