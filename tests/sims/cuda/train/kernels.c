/* kernels.c - the program's device code, which is for the host here. */
#include "tests/sims/cuda/abi.h"
#include "tests/sims/cuda/train/gpu.h"

#define P(i, type)   (*(type *)params[i])
#define KERNEL(name) static void name(void **params, const unsigned int grid[3], const unsigned int block[3])

/* guess, x, weights, n */
KERNEL(forward)
{
	float *guess = P(0, float *), *x = P(1, float *), *weights = P(2, float *);

	for (int i = 0; i < P(3, int); i++)
		guess[i] = x[i] * weights[0] + weights[1];
}

/* loss, error, guess, y, n */
KERNEL(loss)
{
	float *error = P(1, float *), *guess = P(2, float *), *y = P(3, float *), sum = 0;

	for (int i = 0; i < P(4, int); i++) {
		error[i] = guess[i] - y[i];
		sum += error[i] * error[i];
	}
	*P(0, float *) = sum;
}

/* gradient, error, x, n: added to what is there */
KERNEL(backward)
{
	float *gradient = P(0, float *), *error = P(1, float *), *x = P(2, float *);

	for (int i = 0; i < P(3, int); i++) {
		gradient[0] += error[i] * x[i];
		gradient[1] += error[i];
	}
}

/* weights, gradient, rate */
KERNEL(update)
{
	float *weights = P(0, float *), *gradient = P(1, float *);

	for (int i = 0; i < 2; i++)
		weights[i] -= P(2, float) * gradient[i];
}

/* to, what */
KERNEL(add)
{
	*P(0, float *) += P(1, float);
}

#define PTR sizeof(void *)
static const struct sim_kernel code[] = {
	{ "_Z7forwardPfPKfS1_i", forward, { PTR, PTR, PTR, 4 } },
	{ "_Z4lossPfS_PKfS1_i", loss, { PTR, PTR, PTR, PTR, 4 } },
	{ "_Z8backwardPfPKfS1_i", backward, { PTR, PTR, PTR, 4 } },
	{ "_Z6updatePfPKff", update, { PTR, PTR, 4 } },
	{ "_Z3addPff", add, { PTR, 4 } },
	{ NULL, NULL, { 0 } },
};
const struct sim_image kernels = { SIM_IMAGE, code };
const char *const kernel_names[KERNELS] = { "_Z7forwardPfPKfS1_i", "_Z4lossPfS_PKfS1_i", "_Z8backwardPfPKfS1_i", "_Z6updatePfPKff", "_Z3addPff" };
