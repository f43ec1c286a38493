/*
 * plans.h - from an operator's first phase to its second: a plan (executor) leads from one to the other, on whatever thread.
 * torch_npu keeps plans under keys, and runs those that it finds again without a first phase: such a plan has the
 * shapes of the one that was kept.
 */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/link/arguments.h"
#include "agent/stacks/stacks.h"

#define PLANS_FOUND 8

struct plan_found {
	const void *plan;
	unsigned int argument; /* its number */
};

/*
 * The last two arguments of a first phase that has succeeded are where it left the workspace's size and the plan; which these
 * are is not known before a plan of this operator is run. Everything that looks like it is found: how many. The operator
 * is a hash of its name, of both phases the same.
 */
unsigned int plans_find(const struct arguments *a, uint32_t op, struct plan_found found[PLANS_FOUND]);

/* A plan was made for an operator, which stands in the trace under this DEF_LAUNCH id; 0: whatever it is. */
void plans_made(const struct plan_found *found, uint32_t op, uint64_t launch);
void plans_kept(uint64_t key, uint32_t op, uint64_t launch);
void plans_found(const aclOpExecutor *plan, uint64_t key);
void plans_repeat(const aclOpExecutor *plan);

/* Who has asked for a plan: op 0: one that was kept. */
void plans_ask(const void *plan, uint32_t op, struct asked by);

/* Who asked for the plan that is about to be run, on a queue's thread maybe: of nobody twice. False: not known. */
bool plans_asker(const void *plan, uint32_t op, struct asked *by);

/* The plan is about to be run: its DEF_LAUNCH id, 0 if nothing is known of it. From then on the address may be another's. */
uint64_t plans_take(const aclOpExecutor *plan, uint32_t op);

/* The key of a plan that is kept: never 0, but for none. */
uint64_t plans_key(uint64_t hash);
uint64_t plans_key_of(const uint8_t *bytes, size_t count);
