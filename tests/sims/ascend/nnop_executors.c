/*
 * nnop_executors.c - libnnopbase: what the first phase plans and the second runs, and torch_npu's cache of plans: with a
 * key set before the first phase the plan is kept, and found again by the key with new addresses for its tensors.
 */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/nnop.h"
#include "tests/sims/ascend/road.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct executor {
	uint32_t magic;
	bool repeatable;
	struct nnop_operator *op;
	struct nnop_operands operands;
};

/* ---- the cache ---- */

#define PLANS	  4096
#define ADDRESSES 1024
static struct plan {
	uint64_t key;
	struct executor *executor;
} plans[PLANS];
static pthread_mutex_t plans_lock = PTHREAD_MUTEX_INITIALIZER;

static __thread struct {
	uint64_t key; /* of the next first phase, 0: none */
	int addresses;
	void *address[ADDRESSES];
} thread;

static bool is_list(const struct executor *e, int i)
{
	return e->op->operands[i] == 'l' || e->op->operands[i] == 'L';
}

static struct nnop_list *list_of(int64_t n)
{
	struct nnop_list *list = malloc(sizeof(*list) + (size_t)n * sizeof(list->tensors[0]));

	list->n = n;
	return list;
}

/* An executor has lists of its own. */
static struct executor *copy_of(const struct executor *e)
{
	struct executor *copy = malloc(sizeof(*copy));

	*copy = *e;
	for (int i = 0; i < e->operands.n; i++)
		if (is_list(e, i)) {
			const struct nnop_list *from = e->operands.of[i].list;

			copy->operands.of[i].list = list_of(from->n);
			memcpy(copy->operands.of[i].list->tensors, from->tensors, (size_t)from->n * sizeof(from->tensors[0]));
		}
	return copy;
}

static void free_executor(struct executor *e)
{
	for (int i = 0; e && i < e->operands.n; i++)
		if (is_list(e, i))
			free(e->operands.of[i].list);
	free(e);
}

/* The plan with this key, or where it belongs. As long as there is room none drives out another one: so runs are alike. */
static struct plan *plan_of(uint64_t key)
{
	for (uint64_t i = key; i < key + PLANS; i++)
		if (!plans[i % PLANS].executor || plans[i % PLANS].key == key)
			return &plans[i % PLANS];
	return &plans[key % PLANS];
}

static void keep(const struct executor *e)
{
	struct plan *p;

	pthread_mutex_lock(&plans_lock);
	p = plan_of(thread.key);
	free_executor(p->executor);
	*p = (struct plan){ thread.key, copy_of(e) };
	pthread_mutex_unlock(&plans_lock);
}

/* Tensors get the addresses in the order of the arguments. */
static void new_addresses(struct executor *e)
{
	int next = 0;

	for (int i = 0; i < e->operands.n; i++) {
		struct nnop_list *list = is_list(e, i) ? e->operands.of[i].list : NULL;

		if (e->op->operands[i] == 't' && e->operands.of[i].tensor.magic && next < thread.addresses)
			e->operands.of[i].tensor.data = thread.address[next++];
		for (int64_t k = 0; list && k < list->n && next < thread.addresses; k++)
			list->tensors[k].data = thread.address[next++];
	}
}

aclOpExecutor *do_PTAGetExecCache(uint64_t hash, uint64_t *workspaceSize)
{
	struct executor *e = NULL;
	struct plan *p;

	pthread_mutex_lock(&plans_lock);
	p = plan_of(hash);
	if (p->executor && p->key == hash)
		e = copy_of(p->executor);
	pthread_mutex_unlock(&plans_lock);
	if (e) {
		new_addresses(e);
		*workspaceSize = e->op->workspace;
	}
	return e;
}

void do_SetPTAHashKey(uint64_t hash)
{
	thread.key = hash;
}

static uint64_t hash_of(const uint8_t *key, size_t length)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < length; i++)
		h = (h ^ key[i]) * 0x100000001b3;
	return h | 1;
}

aclOpExecutor *do_PTAFindExecCache(uint8_t *key, size_t keyLength, uint64_t *workspaceSize)
{
	return do_PTAGetExecCache(hash_of(key, keyLength), workspaceSize);
}

void do_SetPTACacheHashKey(uint8_t *key, size_t keyLength)
{
	thread.key = key && keyLength ? hash_of(key, keyLength) : 0;
}

void do_InitPTACacheThreadLocal(void)
{
	thread.key = 0;
	thread.addresses = 0;
}

void do_UnInitPTACacheThreadLocal(void)
{
	do_InitPTACacheThreadLocal();
}

void do_AddTensorAddrToCachedList(void *addr)
{
	if (thread.addresses < ADDRESSES)
		thread.address[thread.addresses++] = addr;
}

bool do_CanUsePTACache(const char *apiName)
{
	return sim_setting("SIM_PTA", 1);
}

/* ---- both phases ---- */

static struct nnop_list *take_tensors(const struct nnop_array *given)
{
	struct nnop_list *list = list_of(given->n);

	for (int64_t i = 0; i < given->n; i++)
		memcpy(&list->tensors[i], given->objects[i], sizeof(list->tensors[i]));
	return list;
}

/* A list of scalars becomes an array of their values. */
static bool take_scalars(struct nnop_array *array, const struct nnop_array *given)
{
	*array = (struct nnop_array){ .magic = SIM_ARRAY, .n = given->n };
	for (int64_t i = 0; i < given->n; i++)
		array->floats[i] = (float)((const struct nnop_scalar *)given->objects[i])->value;
	return true;
}

static bool take(union nnop_operand *o, char letter, uint64_t value)
{
	const void *object = (const void *)(uintptr_t)value;

	memset(o, 0, sizeof(*o));
	switch (letter) {
	case 'i': o->number = value; return true;
	case 't': return !object || (sim_is(object, SIM_TENSOR) && memcpy(o, object, sizeof(o->tensor)));
	case 'l':
	case 'L': return sim_is(object, SIM_ARRAY) && (o->list = take_tensors(object));
	case 'v': return sim_is(object, SIM_ARRAY) && take_scalars(&o->array, object);
	case 's': return !object || (sim_is(object, SIM_SCALAR) && memcpy(o, object, sizeof(o->scalar)));
	default: return !object || (sim_is(object, SIM_ARRAY) && memcpy(o, object, sizeof(o->array)));
	}
}

aclnnStatus nnop_plan(struct nnop_operator *op, const uint64_t *values)
{
	struct executor e = { .magic = SIM_EXECUTOR, .op = op, .operands.op = op };
	uint64_t *workspace;
	void **executor;

	for (; op->operands[e.operands.n]; e.operands.n++)
		if (!take(&e.operands.of[e.operands.n], op->operands[e.operands.n], values[e.operands.n]))
			return SIM_ERROR_INVALID_PARAM;
	workspace = (uint64_t *)(uintptr_t)values[e.operands.n];
	executor = (void **)(uintptr_t)values[e.operands.n + 1];
	if (!workspace || !executor)
		return SIM_ERROR_INVALID_PARAM;
	*workspace = op->workspace;
	*executor = memcpy(malloc(sizeof(e)), &e, sizeof(e));
	if (thread.key)
		keep(&e);
	thread.key = 0;
	return 0;
}

aclnnStatus do_aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
	((struct executor *)executor)->repeatable = true;
	return 0;
}

aclnnStatus do_aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
	if (!sim_is(executor, SIM_EXECUTOR))
		return SIM_ERROR_INVALID_PARAM;
	free_executor(executor);
	return 0;
}

/* The operands of an operator on lists, of which the i-th is taken. */
static struct nnop_operands taken(const struct nnop_operands *all, int64_t i)
{
	struct nnop_operands one = *all;

	for (int k = 0; k < all->n; k++)
		switch (all->op->operands[k]) {
		case 'l': one.of[k].tensor = all->of[k].list->tensors[i]; break;
		case 'v': one.of[k].scalar = (struct nnop_scalar){ SIM_SCALAR, SIM_FLOAT, (double)all->of[k].array.floats[i] }; break;
		default: break;
		}
	return one;
}

static void run_lists(const void *args)
{
	const struct nnop_operands *all = args;
	int64_t n = all->of[strchr(all->op->operands, 'l') - all->op->operands].list->n;

	for (int64_t i = 0; i < n; i++) {
		struct nnop_operands one = taken(all, i);

		all->op->compute(&one);
	}
}

static struct sim_function *kernel_of(struct nnop_operator *op)
{
	if (!op->kernel.name[0]) {
		snprintf(op->kernel.name, sizeof(op->kernel.name), "%s_float32", op->name);
		op->kernel.run = op->compute && strchr(op->operands, 'l') ? run_lists : op->compute;
	}
	return &op->kernel;
}

aclnnStatus nnop_execute(struct nnop_operator *op, void *executor, aclrtStream stream)
{
	struct executor *e = executor;
	int rc, captured = 0;

	if (!op->operands)
		return road_launch(kernel_of(op), &op->binary, NULL, 0, stream);
	if (!sim_is(e, SIM_EXECUTOR) || e->op != op)
		return SIM_ERROR_INVALID_PARAM;
	nnop_tell_shapes(op, &e->operands);
	rc = road_launch(kernel_of(op), &op->binary, &e->operands, sizeof(e->operands), stream);
	sim_capture_info(stream, &captured, NULL);
	if (!e->repeatable && !captured) /* a graph goes on using the lists */
		free_executor(e);
	return rc;
}
