/*
 * nnop_executors.c - libnnopbase: what the first phase plans and the second runs, and torch_npu's cache of plans: with a
 * key set before the first phase the plan is kept, and found again by the key with new addresses for its tensors.
 */
#include "tests/sim/declare.h"
#include "tests/sim/nnop.h"
#include "tests/sim/road.h"
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

#define PLANS 256
static struct plan {
	uint64_t key;
	struct executor *executor;
} plans[PLANS];
static pthread_mutex_t plans_lock = PTHREAD_MUTEX_INITIALIZER;

static __thread struct {
	uint64_t key; /* of the next first phase, 0: none */
	int addresses;
	void *address[NNOP_OPERANDS];
} thread;

static struct executor *copy_of(const struct executor *e)
{
	struct executor *copy = malloc(sizeof(*copy));

	*copy = *e;
	return copy;
}

static void keep(const struct executor *e)
{
	struct plan *p = &plans[thread.key % PLANS];

	pthread_mutex_lock(&plans_lock);
	free(p->executor);
	*p = (struct plan){ thread.key, copy_of(e) };
	pthread_mutex_unlock(&plans_lock);
}

/* Tensors get the addresses in the order of the arguments. */
static void new_addresses(struct executor *e)
{
	int next = 0;

	for (int i = 0; i < e->operands.n; i++)
		if (e->op->operands[i] == 't' && e->operands.of[i].tensor.magic && next < thread.addresses)
			e->operands.of[i].tensor.data = thread.address[next++];
}

aclOpExecutor *do_PTAGetExecCache(uint64_t hash, uint64_t *workspaceSize)
{
	struct plan *p = &plans[hash % PLANS];
	struct executor *e = NULL;

	pthread_mutex_lock(&plans_lock);
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
	if (thread.addresses < NNOP_OPERANDS)
		thread.address[thread.addresses++] = addr;
}

bool do_CanUsePTACache(const char *apiName)
{
	return sim_setting("SIM_PTA", 1);
}

/* ---- both phases ---- */

static bool take(union nnop_operand *o, char letter, uint64_t value)
{
	const void *object = (const void *)(uintptr_t)value;

	memset(o, 0, sizeof(*o));
	switch (letter) {
	case 'i': o->number = value; return true;
	case 't': return !object || (sim_is(object, SIM_TENSOR) && memcpy(o, object, sizeof(o->tensor)));
	case 's': return !object || (sim_is(object, SIM_SCALAR) && memcpy(o, object, sizeof(o->scalar)));
	default: return !object || (sim_is(object, SIM_ARRAY) && memcpy(o, object, sizeof(o->array)));
	}
}

aclnnStatus nnop_plan(struct nnop_operator *op, const uint64_t *values)
{
	struct executor e = { .magic = SIM_EXECUTOR, .op = op };
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
	*executor = copy_of(&e);
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
	free(executor);
	return 0;
}

static struct sim_function *kernel_of(struct nnop_operator *op)
{
	if (!op->kernel.name[0]) {
		snprintf(op->kernel.name, sizeof(op->kernel.name), "%s_float32", op->name);
		op->kernel.run = op->compute;
	}
	return &op->kernel;
}

aclnnStatus nnop_execute(struct nnop_operator *op, void *executor, aclrtStream stream)
{
	struct executor *e = executor;
	int rc;

	if (!op->operands)
		return road_launch(kernel_of(op), &op->binary, NULL, 0, stream);
	if (!sim_is(e, SIM_EXECUTOR) || e->op != op)
		return SIM_ERROR_INVALID_PARAM;
	rc = road_launch(kernel_of(op), &op->binary, &e->operands, sizeof(e->operands), stream);
	if (!e->repeatable)
		free(e);
	return rc;
}
