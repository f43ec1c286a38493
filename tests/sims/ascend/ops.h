/* ops.h - the operators: their rows are ops.def (libopapi) and ops_math.def (libopapi_math). */
#pragma once
#include "tests/sims/ascend/nnop.h"

/* Every operand is at most this many numbers away: doubles travel elsewhere and are none of ours. */
#define OP_2	      uint64_t a0, uint64_t a1
#define OP_3	      OP_2, uint64_t a2
#define OP_4	      OP_3, uint64_t a3
#define OP_5	      OP_4, uint64_t a4
#define OP_6	      OP_5, uint64_t a5
#define OP_7	      OP_6, uint64_t a6
#define OP_8	      OP_7, uint64_t a7
#define OP_9	      OP_8, uint64_t a8
#define OP_10	      OP_9, uint64_t a9
#define GIVEN_2	      a0, a1
#define GIVEN_3	      GIVEN_2, a2
#define GIVEN_4	      GIVEN_3, a3
#define GIVEN_5	      GIVEN_4, a4
#define GIVEN_6	      GIVEN_5, a5
#define GIVEN_7	      GIVEN_6, a6
#define GIVEN_8	      GIVEN_7, a7
#define GIVEN_9	      GIVEN_8, a8
#define GIVEN_10      GIVEN_9, a9

/* compute*.c: a kernel's work on float32 tensors of any strides; other types are copied and filled, else left as they are. */
#define COMPUTE(name) void compute_##name(const void *operands)
COMPUTE(add);		       /* t t s t: a + alpha * b */
COMPUTE(sub);		       /* t t s t */
COMPUTE(mul);		       /* t t t */
COMPUTE(div);		       /* t t t */
COMPUTE(adds);		       /* t s s t: a + alpha * scalar */
COMPUTE(muls);		       /* t s t */
COMPUTE(copy);		       /* t t: the second to the first */
COMPUTE(fill);		       /* t s */
COMPUTE(zero);		       /* t */
COMPUTE(one);		       /* t */
COMPUTE(relu);		       /* t t */
COMPUTE(neg);		       /* t t */
COMPUTE(exp);		       /* t t */
COMPUTE(sqrt);		       /* t t */
COMPUTE(inplace_add);	       /* t t s */
COMPUTE(inplace_mul);	       /* t t */
COMPUTE(inplace_muls);	       /* t s */
COMPUTE(matmul);	       /* t t t i */
COMPUTE(divs);		       /* t s t */
COMPUTE(maximum);	       /* t t t */
COMPUTE(minimum);	       /* t t t */
COMPUTE(sigmoid);	       /* t t */
COMPUTE(tanh);		       /* t t */
COMPUTE(abs);		       /* t t */
COMPUTE(log);		       /* t t */
COMPUTE(rsqrt);		       /* t t */
COMPUTE(threshold_backward);   /* t t s t: the first where the second is above the third */
COMPUTE(addcmul);	       /* t t t s t */
COMPUTE(addcdiv);	       /* t t t s t */
COMPUTE(addmm);		       /* t t t s s t i */
COMPUTE(sum);		       /* t a i i t */
COMPUTE(mean);		       /* t a i i t */
COMPUTE(add_scalar);	       /* t s t */
COMPUTE(lerp);		       /* t t s t: from the first towards the second */
COMPUTE(inplace_adds);	       /* t s s */
COMPUTE(inplace_divs);	       /* t s */
COMPUTE(inplace_lerp);	       /* t t s */
COMPUTE(inplace_addcmul);      /* t t t s */
COMPUTE(inplace_addcdiv);      /* t t t s */
COMPUTE(pad);		       /* t a s t */
COMPUTE(concatenate);	       /* L i t */
COMPUTE(log_softmax);	       /* t i t */
COMPUTE(log_softmax_backward); /* t t i t */
COMPUTE(nll_loss);	       /* t t t i i t t */
COMPUTE(nll_loss_backward);    /* t t t t i i t t */
#define compute_nothing NULL
