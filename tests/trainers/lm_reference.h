/* The shape of the character language model, and its loss and gradient in plain C. */
#ifndef LM_REFERENCE_H
#define LM_REFERENCE_H

#include <stddef.h>

enum {
	LM_VOCAB = 96,	/* the printable characters, and newline as the last */
	LM_CONTEXT = 8, /* characters seen to guess the next one */
	LM_EMBED = 16,
	LM_INPUT = LM_CONTEXT * LM_EMBED,
	LM_HIDDEN = 128,
};

/* name, rows, columns: one line a parameter tensor, in the order the optimizer walks them. */
#define LM_PARAM_LIST(X)             \
	X(TABLE, LM_VOCAB, LM_EMBED) \
	X(W1, LM_INPUT, LM_HIDDEN)   \
	X(B1, 1, LM_HIDDEN)          \
	X(W2, LM_HIDDEN, LM_HIDDEN)  \
	X(B2, 1, LM_HIDDEN)          \
	X(W3, LM_HIDDEN, LM_VOCAB)   \
	X(B3, 1, LM_VOCAB)

#define LM_ENUM(name, rows, cols) LM_##name,
enum lm_param { LM_PARAM_LIST(LM_ENUM) LM_PARAMS };
#undef LM_ENUM

struct lm_shape {
	const char *name;
	int rows, cols;
};

extern const struct lm_shape lm_shapes[LM_PARAMS];

/* Elements of one parameter tensor. */
static inline int lm_size(enum lm_param p)
{
	return lm_shapes[p].rows * lm_shapes[p].cols;
}

/*
 * Mean cross entropy of @batch rows: @tokens[batch][LM_CONTEXT], @targets[batch]. Fills
 * @grads, tensor by tensor. Returns 0, or -ENOMEM.
 */
int lm_reference(float *const params[LM_PARAMS], const int *tokens, const int *targets,
		 int batch, double *loss, double *const grads[LM_PARAMS]);

#endif
