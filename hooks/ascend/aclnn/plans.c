#include "hooks/ascend/aclnn/plans.h"
#include "agent/base/hash.h"
#include "agent/record/recent_keys.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/stacks/stack_memory.h"
#include "hooks/ascend/aclnn/shapes.h"

#define KEY_BYTES 65536 /* of a longer key these */

static struct recent_keys made;	     /* plan and operator: DEF_LAUNCH id | number of the argument << 32 */
static struct recent_keys kept;	     /* key: DEF_LAUNCH id | operator << 32 */
static struct recent_keys repeating; /* plan: 1 */
static struct recent_keys askers;    /* plan and operator: DEF_STACK id | enum stack_of << 56, plus ASKED */
static _Atomic bool some_repeat;     /* few programs have such a plan */

#define LEARNT 4096
static _Atomic uint64_t learnt[LEARNT]; /* by operator: number of the argument that is the plan's | operator << 32 */

/* ---- among arguments ---- */

#define OWN_STACK (64u << 10)  /* as far above a call its caller's variables are looked for */
#define LOWEST	  0x10000u     /* no object lies lower, */
#define HIGHEST	  (1ull << 48) /* or higher */
#define SIZE_MOST (1ull << 40) /* of a workspace */
#define LOOKS	  24	       /* at other memory */

struct look {
	const struct arguments *a;
	uintptr_t page;	   /* one that is there */
	unsigned int left; /* LOOKS */
};

/* Below the arguments is where the call returns to. */
static struct look look_among(const struct arguments *a)
{
	return (struct look){ .a = a, .page = ((uintptr_t)a->stack - 1) / STACK_PAGE, .left = LOOKS };
}

static bool on_stack(const struct arguments *a, uint64_t address)
{
	return address - (uintptr_t)a->stack < OWN_STACK;
}

/* Could it be the address of something? */
static bool is_address(uint64_t value)
{
	return !(value & 7) && value >= LOWEST && value < HIGHEST;
}

BARE static bool read_word(struct look *l, uint64_t address, uint64_t *word)
{
	if (address / STACK_PAGE != l->page) {
		if (!l->left || !stack_memory_above((uintptr_t)l->a->stack, address, sizeof(*word)))
			return false;
		l->left--;
		l->page = address / STACK_PAGE;
	}
	*word = *(const uint64_t *)(uintptr_t)address;
	return true;
}

/* If this argument is where the plan was left, and the one before where its size was: the plan. */
ALWAYS_INLINE const void *plan_at(struct look *l, size_t i)
{
	uint64_t size_at = arguments_at(l->a, i - 1), plan_at = arguments_at(l->a, i), size, plan;

	if (!is_address(size_at) || !is_address(plan_at) || !read_word(l, plan_at, &plan) || !is_address(plan) ||
	    on_stack(l->a, plan) || !read_word(l, size_at, &size) || size >= SIZE_MOST)
		return NULL;
	return (const void *)(uintptr_t)plan;
}

/* The first of equal ones is an argument; later ones may be what else lies on the stack. */
static bool is_new(const struct plan_found *found, unsigned int n, const void *plan)
{
	for (unsigned int i = 0; i < n; i++)
		if (found[i].plan == plan)
			return false;
	return plan;
}

/* Variables of this thread's stack, or others. */
static unsigned int find_more(struct look *l, bool stack, struct plan_found *found, unsigned int n)
{
	for (size_t i = 1; i < arguments_count(l->a) && n < PLANS_FOUND; i++) {
		const void *plan = on_stack(l->a, arguments_at(l->a, i)) == stack ? plan_at(l, i) : NULL;

		if (is_new(found, n, plan))
			found[n++] = (struct plan_found){ plan, (unsigned int)i };
	}
	return n;
}

static NOINLINE unsigned int find_all(const struct arguments *a, struct plan_found found[PLANS_FOUND])
{
	struct look l = look_among(a);

	return find_more(&l, false, found, find_more(&l, true, found, 0));
}

/* Never the first argument: 0: not known. */
ALWAYS_INLINE unsigned int learnt_of(uint32_t op)
{
	uint64_t known = atomic_load_explicit(&learnt[op % LEARNT], memory_order_relaxed);

	return LIKELY(known >> 32 == op) ? (uint32_t)known : 0;
}

BARE static uint64_t word_at(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

/* The same as plan_at(), of variables that lie on the page of the arguments, as most do. */
ALWAYS_INLINE const void *plan_near(const struct arguments *a, size_t i)
{
	uint64_t size_at = arguments_at(a, i - 1), plan_at = arguments_at(a, i), below = (uintptr_t)a->stack - 1;
	uint64_t plan;

	if (UNLIKELY(((size_at ^ below) | (plan_at ^ below)) / STACK_PAGE || (size_at | plan_at) & 7))
		return NULL;
	plan = word_at(plan_at);
	if (UNLIKELY(!is_address(plan) || on_stack(a, plan) || word_at(size_at) >= SIZE_MOST))
		return NULL;
	return (const void *)(uintptr_t)plan;
}

static NOINLINE unsigned int find_far(const struct arguments *a, size_t i, struct plan_found found[PLANS_FOUND])
{
	struct look l = look_among(a);
	const void *plan = plan_at(&l, i);

	if (!plan)
		return find_all(a, found);
	found[0] = (struct plan_found){ plan, (unsigned int)i };
	return 1;
}

unsigned int plans_find(const struct arguments *a, uint32_t op, struct plan_found found[PLANS_FOUND])
{
	size_t i = learnt_of(op);
	const void *plan;

	if (UNLIKELY(!i || i >= arguments_count(a)))
		return find_all(a, found);
	plan = plan_near(a, i);
	if (UNLIKELY(!plan))
		return find_far(a, i, found);
	found[0] = (struct plan_found){ plan, (unsigned int)i };
	return 1;
}

/* ---- from phase to phase ---- */

/* What is not there may have been pushed out. */
static void count_forgotten(const struct recent_keys *from)
{
	if (from->forgetful)
		session_beyond(LIMIT_forgotten_plans, 1);
}

static uint64_t key_of(const void *plan, uint32_t op)
{
	return recent_keys_of((uintptr_t)plan, (uint64_t)op << 32 | session_generation);
}

static bool may_repeat(void)
{
	return UNLIKELY(atomic_load_explicit(&some_repeat, memory_order_relaxed));
}

static NOINLINE void make_slowly(const void *plan, uint64_t key, uint64_t value)
{
	if (may_repeat())
		recent_keys_drop(&repeating, key_of(plan, 0));
	recent_keys_lend(&made, key, value);
}

ALWAYS_INLINE void make(const void *plan, uint32_t op, uint64_t launch, unsigned int argument)
{
	uint64_t key = key_of(plan, op), value = launch | (uint64_t)argument << 32;

	if (may_repeat() || UNLIKELY(!recent_keys_lend_at_home(&made, key, value)))
		make_slowly(plan, key, value);
}

void plans_made(const struct plan_found *found, uint32_t op, uint64_t launch)
{
	make(found->plan, op, launch, found->argument);
}

void plans_kept(uint64_t key, uint32_t op, uint64_t launch)
{
	recent_keys_put(&kept, key, launch | (uint64_t)op << 32);
}

void plans_found(const aclOpExecutor *plan, uint64_t key)
{
	uint64_t known = key ? recent_keys_get(&kept, key) : 0;

	if (known)
		make(plan, (uint32_t)(known >> 32), (uint32_t)known, 0);
	else if (key)
		count_forgotten(&kept);
	if (plan && (uint32_t)gate_load() & GATE_STACKS)
		plans_ask(plan, 0, stacks_asked());
	shapes_taken();
}

#define ASKED (1ull << 63) /* so that it is never 0 */

void plans_ask(const void *plan, uint32_t op, struct asked by)
{
	recent_keys_put(&askers, key_of(plan, op), ASKED | STACK_ARG(by.stack, by.of));
}

bool plans_asker(const void *plan, uint32_t op, struct asked *by)
{
	uint64_t made_now = recent_keys_drop(&askers, key_of(plan, op)), found = recent_keys_drop(&askers, key_of(plan, 0));
	uint64_t known = found ? found : made_now;

	if (!known)
		return false;
	*by = (struct asked){ STACK_NATIVE(known & ~ASKED), STACK_OF_ARG(known & ~ASKED) };
	if (by->of == STACK_CALLER)
		by->of = STACK_ASKED;
	return true;
}

void plans_repeat(const aclOpExecutor *plan)
{
	atomic_store(&some_repeat, true);
	recent_keys_put(&repeating, key_of(plan, 0), 1);
}

static void learn(uint32_t op, uint64_t argument)
{
	_Atomic uint64_t *at = &learnt[op % LEARNT];
	uint64_t now = (uint64_t)op << 32 | argument;

	if (atomic_load_explicit(at, memory_order_relaxed) != now)
		atomic_store_explicit(at, now, memory_order_relaxed);
}

static NOINLINE uint64_t take_slowly(const aclOpExecutor *plan, uint32_t op, uint64_t key)
{
	bool stays = may_repeat() && recent_keys_get(&repeating, key_of(plan, 0));
	uint64_t known = recent_keys_take(&made, key, stays);

	if (!known)
		count_forgotten(&made);
	else if (known >> 32)
		learn(op, known >> 32);
	return (uint32_t)known;
}

uint64_t plans_take(const aclOpExecutor *plan, uint32_t op)
{
	uint64_t key = key_of(plan, op), known = may_repeat() ? 0 : recent_keys_take_at_home(&made, key);

	if (UNLIKELY(!known))
		return take_slowly(plan, op, key);
	if (known >> 32)
		learn(op, known >> 32);
	return (uint32_t)known;
}

/* ---- keys ---- */

uint64_t plans_key(uint64_t hash)
{
	return hash ? recent_keys_of(hash, session_generation) : 0;
}

uint64_t plans_key_of(const uint8_t *bytes, size_t count)
{
	if (!bytes || !count)
		return 0;
	return recent_keys_of(hash_bytes(HASH_BEGIN ^ count, bytes, count < KEY_BYTES ? count : KEY_BYTES), ~(uint64_t)session_generation);
}
