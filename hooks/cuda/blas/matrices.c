#include "hooks/cuda/blas/matrices.h"

static void describe(struct def_tensor *d, int64_t batch, const struct matrix *m)
{
	unsigned int n = 0;

	if (batch)
		d->dimension[n++] = batch;
	d->dimension[n++] = m->rows;
	if (m->columns != NO_COLUMNS)
		d->dimension[n++] = m->columns;
	d->type = m->type;
	d->format = FORMAT_ND;
	d->dimensions = (uint8_t)n;
	d->left_out = 0;
	d->reserved = 0;
}

uint64_t matrices_launch(unsigned int hook, int64_t batch, const struct matrix *matrices, unsigned int count)
{
	struct def_tensor tensors[MATRICES_MOST];

	for (unsigned int i = 0; i < count; i++)
		describe(&tensors[i], batch, &matrices[i]);
	return operator_shapes_launch(row_name(hook), &(struct operator_shapes){ tensors, count, 0 });
}

static int64_t number_at(const struct matrix_groups *g, const void *numbers, uint32_t i)
{
	return g->wide ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

static void describe_group(struct def_tensor *d, const struct matrix_groups *g, uint32_t i)
{
	int64_t m = number_at(g, g->m, i), n = number_at(g, g->n, i), k = number_at(g, g->k, i), batch = number_at(g, g->batch, i);

	describe(&d[0], batch, &(struct matrix){ g->types[0], m, k });
	describe(&d[1], batch, &(struct matrix){ g->types[1], k, n });
	describe(&d[2], batch, &(struct matrix){ g->types[2], m, n });
}

uint64_t matrix_groups_launch(unsigned int hook, const struct matrix_groups *groups)
{
	struct def_tensor tensors[SHAPES_TENSORS];
	uint64_t count = groups->count > 0 ? (uint64_t)groups->count : 0;
	uint32_t here = count < SHAPES_TENSORS / 3 ? (uint32_t)count : SHAPES_TENSORS / 3;
	uint64_t more = 3 * (count - here);

	for (uint32_t i = 0; i < here; i++)
		describe_group(&tensors[(size_t)3 * i], groups, i);
	return operator_shapes_launch(row_name(hook),
				      &(struct operator_shapes){ tensors, 3 * here, more < UINT32_MAX ? (uint32_t)more : UINT32_MAX });
}
