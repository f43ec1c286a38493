/* ops.h - operators on small float32 matrices, as op-plugin calls them; and the training step's other device work. */
#pragma once
#include "tests/sims/ascend/train/api.h"
#include "tests/sims/ascend/train/queue.h"

struct matrix {
	int64_t dims[2], strides[2];
	void *data;
};

void op_matmul(const struct matrix *a, const struct matrix *b, const struct matrix *out);
void op_sub(const struct matrix *a, const struct matrix *b, const struct matrix *out);
void op_mul(const struct matrix *a, const struct matrix *b, const struct matrix *out);
void op_muls(const struct matrix *a, double by, const struct matrix *out);
void op_adds(const struct matrix *a, double more, const struct matrix *out);
void op_sum(const struct matrix *a, const struct matrix *out);
void op_copy(const struct matrix *to, const struct matrix *from);

void op_print(void); /* `shapes STEP OPERATOR TENSORS` lines: what every operator was given, in their order */

extern aclrtStream op_stream;			  /* of all operators */
extern bool op_cached;				  /* ask the executor cache before the first phase */
extern void *op_workspace;			  /* large enough for all */
void check(int rc, const char *what, int wanted); /* anything else ends the program */
#define OK(symbol, ...) check(CALL(symbol, __VA_ARGS__), #symbol, 0)
