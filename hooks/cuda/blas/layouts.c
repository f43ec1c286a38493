#include "hooks/cuda/blas/layouts.h"
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/record/question.h"
#include "hooks/cuda/blas/data_types.h"
#include "hooks/cuda/blas/matrices.h"
#include "hooks/link/resolve.h"

/* a = rows << 32 | columns, b = cudaDataType << 32 | batch */
static struct handles layouts;

struct layout {
	uint64_t rows, columns;
	cudaDataType type;
	uint32_t batch;
};

static void keep(cublasLtMatrixLayout_t layout, const struct layout *l)
{
	if (l->rows > UINT32_MAX || l->columns > UINT32_MAX)
		layout_forget(layout); /* it is asked each time */
	else
		handles_put(&layouts, (uintptr_t)layout, l->rows << 32 | l->columns, (uint64_t)(uint32_t)l->type << 32 | l->batch);
}

void layout_is(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows, uint64_t columns)
{
	if (layout && gate_may_record())
		keep(layout, &(struct layout){ rows, columns, type, 1 });
}

void layout_forget(cublasLtMatrixLayout_t layout)
{
	struct handle_slot *s = handles_get(&layouts, (uintptr_t)layout);

	if (s)
		handles_forget(s);
}

static bool ask(cublasLtMatrixLayout_t layout, struct layout *l)
{
	static _Atomic(void *) cache;
	cublasStatus_t (*get)(cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, void *, size_t, size_t *) =
		hook_vendor(&cache, "cublasLtMatrixLayoutGetAttribute");
	struct question question = question_begin();
	size_t written;
	bool told = get && !get(layout, CUBLASLT_MATRIX_LAYOUT_TYPE, &l->type, sizeof(l->type), &written) &&
		    !get(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &l->rows, sizeof(l->rows), &written) &&
		    !get(layout, CUBLASLT_MATRIX_LAYOUT_COLS, &l->columns, sizeof(l->columns), &written) &&
		    !get(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &l->batch, sizeof(l->batch), &written);

	question_end(question);
	return told;
}

static bool look_up(cublasLtMatrixLayout_t layout, struct layout *l)
{
	struct handle_slot *s = handles_get(&layouts, (uintptr_t)layout);
	uint64_t a, b;

	if (!s && (!layout || !ask(layout, l)))
		return false;
	if (!s) {
		keep(layout, l);
		return true;
	}
	a = atomic_load(&s->a);
	b = atomic_load(&s->b);
	*l = (struct layout){ a >> 32, (uint32_t)a, (cudaDataType)(b >> 32), (uint32_t)b };
	return true;
}

static struct matrix matrix_of(const struct layout *l, uint64_t rows, uint64_t columns)
{
	return (struct matrix){ cuda_data_type(l->type), (int64_t)rows, (int64_t)columns };
}

/* One matrix is no batch. */
static int64_t batch_of(const struct layout *l)
{
	return l->batch > 1 ? l->batch : 0;
}

/*
 * Which of them are turned stands in the description of the multiplication, and need not be asked: D has m rows and n columns,
 * A has m of either, and k of the other; if it has m of both, it is the same turned.
 */
uint64_t layouts_matmul(unsigned int hook, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t d)
{
	struct layout la, lb, ld;
	uint64_t k;

	if (!look_up(a, &la) || !look_up(b, &lb) || !look_up(d, &ld))
		return row_launch(hook);
	k = la.rows == ld.rows ? la.columns : la.rows;
	return matrices_launch(hook, batch_of(&ld),
			       (struct matrix[]){ matrix_of(&la, ld.rows, k), matrix_of(&lb, k, ld.columns), matrix_of(&ld, ld.rows, ld.columns) }, 3);
}

uint64_t layouts_transform(unsigned int hook, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c)
{
	struct matrix matrices[3];
	unsigned int count = 0;
	struct layout l;

	if (!look_up(a, &l))
		return row_launch(hook);
	matrices[count++] = matrix_of(&l, l.rows, l.columns);
	if (b && look_up(b, &l))
		matrices[count++] = matrix_of(&l, l.rows, l.columns);
	if (!look_up(c, &l))
		return row_launch(hook);
	matrices[count++] = matrix_of(&l, l.rows, l.columns);
	return matrices_launch(hook, batch_of(&l), matrices, count);
}
