/* ops.c - see ops.h. Matrices live until the step ends, requests point to them. */
#include "tests/sims/ascend/train/ops.h"
#include <stdio.h>
#include <stdlib.h>

aclrtStream op_stream;
bool op_cached;
void *op_workspace;

void check(int rc, const char *what, int wanted)
{
	if (rc == wanted)
		return;
	fprintf(stderr, "train: %s answered %d, not %d\n", what, rc, wanted);
	exit(1);
}

static aclTensor *tensor(const struct matrix *m)
{
	aclTensor *t = CALL(aclCreateTensor, m->dims, 2, SIM_FLOAT, m->strides, 0, 2, m->dims, 2, m->data);

	if (!t)
		check(1, "aclCreateTensor", 0);
	return t;
}

static aclScalar *scalar(double value)
{
	float number = (float)value;

	return CALL(aclCreateScalar, &number, SIM_FLOAT);
}

/* The key of a plan: the operator and the shapes. */
static uint64_t key_of(const struct request *r, uint64_t h)
{
	for (int i = 0; i < 3 && r->pointers[i]; i++) {
		const struct matrix *m = r->pointers[i];

		for (int d = 0; d < 2; d++)
			h = (h * 1099511628211u) ^ (uint64_t)(m->dims[d] * 64 + m->strides[d]);
	}
	return h | 1;
}

/* A plan from the cache, with today's addresses; else the next first phase is told to leave one there. */
static bool from_cache(struct request *r, uint64_t operator)
{
	uint64_t key;

	CALL(InitPTACacheThreadLocal);
	if (!op_cached)
		return false;
	key = key_of(r, operator);
	for (int i = 0; i < 3 && r->pointers[i]; i++)
		CALL(AddTensorAddrToCachedList, ((const struct matrix *)r->pointers[i])->data);
	r->executor = CALL(PTAGetExecCache, key, &r->workspace);
	if (!r->executor)
		CALL(SetPTAHashKey, key);
	return r->executor;
}

/* First phase and second phase of an operator; DESCRIBE makes what it is given, FORGET destroys it. */
#define PHASES_OF(op, cache, DESCRIBE, ARGUMENTS, FORGET)                                                      \
	static void first_##op(struct request *r)                                                              \
	{                                                                                                      \
		aclOpExecutor *executor = NULL;                                                                \
                                                                                                               \
		if (cache && from_cache(r, NUMBER_aclnn##op))                                                  \
			return;                                                                                \
		CALL(InitHugeMemThreadLocal, NULL, false);                                                     \
		DESCRIBE;                                                                                      \
		check(CALL(aclnn##op##GetWorkspaceSize, ARGUMENTS, &r->workspace, &executor), #op " plan", 0); \
		FORGET;                                                                                        \
		r->executor = executor;                                                                        \
	}                                                                                                      \
	static void second_##op(struct request *r)                                                             \
	{                                                                                                      \
		OK(aclnn##op, op_workspace, r->workspace, r->executor, r->stream);                             \
		CALL(ReleaseHugeMem, NULL, false);                                                             \
	}

#define TENSOR(i, name) aclTensor *name = tensor(r->pointers[i])
#define GIVE_UP(name)	CALL(aclDestroyTensor, name)
#define ARGS(...)	__VA_ARGS__
#define TENSORS(a, b, c) \
	TENSOR(0, a);    \
	TENSOR(1, b);    \
	TENSOR(2, c)

PHASES_OF(Matmul, true, TENSORS(a, b, out), ARGS(a, b, out, 0), GIVE_UP(a); GIVE_UP(b); GIVE_UP(out))
PHASES_OF(Mul, true, TENSORS(a, b, out), ARGS(a, b, out), GIVE_UP(a); GIVE_UP(b); GIVE_UP(out))
PHASES_OF(Sub, false, TENSORS(a, b, out); aclScalar *one = scalar(1), ARGS(a, b, one, out), GIVE_UP(a); GIVE_UP(b); GIVE_UP(out);
	  CALL(aclDestroyScalar, one))
PHASES_OF(Muls, false, TENSOR(0, a); TENSOR(1, out); aclScalar *by = scalar(r->scalar), ARGS(a, by, out), GIVE_UP(a); GIVE_UP(out);
	  CALL(aclDestroyScalar, by))
PHASES_OF(Adds, false, TENSOR(0, a); TENSOR(1, out); aclScalar *by = scalar(r->scalar); aclScalar *one = scalar(1), ARGS(a, by, one, out),
											GIVE_UP(a);
	  GIVE_UP(out); CALL(aclDestroyScalar, by); CALL(aclDestroyScalar, one))
PHASES_OF(ReduceSum, false, TENSOR(0, a); TENSOR(1, out); aclIntArray *dims = CALL(aclCreateIntArray, (int64_t[]){ 0, 1 }, 2),
							  ARGS(a, dims, true, SIM_FLOAT, out), GIVE_UP(a);
	  GIVE_UP(out); CALL(aclDestroyIntArray, dims))
PHASES_OF(InplaceCopy, false, TENSOR(0, to); TENSOR(1, from), ARGS(to, from), GIVE_UP(to); GIVE_UP(from))

/* ---- the program's own account of shapes ---- */

#define GIVEN 4096
static struct {
	int step;
	const char *name;
	const struct matrix *of[3];
} given[GIVEN];
static int givens;

static void tell(const char *name, const struct request *r)
{
	if (givens == GIVEN)
		return;
	given[givens].step = api_current();
	given[givens].name = name;
	for (int i = 0; i < 3; i++)
		given[givens].of[i] = r->pointers[i];
	givens++;
}

void op_print(void)
{
	for (int i = 0; i < givens; i++) {
		printf("shapes %d %s", given[i].step, given[i].name);
		for (int k = 0; k < 3 && given[i].of[k]; k++)
			printf("%cfp32[%ld,%ld]", k ? ';' : ' ', (long)given[i].of[k]->dims[0], (long)given[i].of[k]->dims[1]);
		printf("\n");
	}
}

static void push_told(const char *name, const struct request *r)
{
	tell(name, r);
	queue_push(r);
}

#define PUSH(op, ...) \
	push_told("aclnn" #op, &(struct request){ .first = first_##op, .second = second_##op, .stream = op_stream, .pointers = { __VA_ARGS__ } })

void op_matmul(const struct matrix *a, const struct matrix *b, const struct matrix *out)
{
	PUSH(Matmul, a, b, out);
}

void op_sub(const struct matrix *a, const struct matrix *b, const struct matrix *out)
{
	PUSH(Sub, a, b, out);
}

void op_mul(const struct matrix *a, const struct matrix *b, const struct matrix *out)
{
	PUSH(Mul, a, b, out);
}

void op_sum(const struct matrix *a, const struct matrix *out)
{
	PUSH(ReduceSum, a, out);
}

void op_copy(const struct matrix *to, const struct matrix *from)
{
	PUSH(InplaceCopy, to, from);
}

static void push_scaled(const char *name, void (*first)(struct request *), void (*second)(struct request *), const struct matrix *a, double by,
			const struct matrix *out)
{
	push_told(name, &(struct request){ .first = first, .second = second, .stream = op_stream, .pointers = { a, out }, .scalar = by });
}

void op_muls(const struct matrix *a, double by, const struct matrix *out)
{
	push_scaled("aclnnMuls", first_Muls, second_Muls, a, by, out);
}

void op_adds(const struct matrix *a, double more, const struct matrix *out)
{
	push_scaled("aclnnAdds", first_Adds, second_Adds, a, more, out);
}
