/*
 * aclnn.c - operators by name. The second phase, which gives the work to the device, has one signature whatever the
 * operator: it is recorded as the operator. The first has any signature: aclnn.S tells of it and goes on by a jump.
 */
#include "hooks/aclnn.h"
#include "agent/elf.h"
#include "hooks/ascend_time.h"
#include "hooks/wrap.h"
#include <string.h>

#define OPERATORS   8192
#define FIRST_PHASE "GetWorkspaceSize"

/* One of the two phases of one. Never freed: its way in leads here. */
struct aclnn {
	void *real;
	uint32_t first;
	uint32_t hook;
	_Atomic uint64_t name; /* DEF_STRING id | generation of the session << 32 */
	char symbol[104];
};
_Static_assert(sizeof(struct aclnn) == 128 && !offsetof(struct aclnn, real) && offsetof(struct aclnn, first) == 8,
	       "aclnn.S says the same");
_Static_assert(GATE_WINDOW == BIT(30) && GATE_STARTED == BIT(31), "aclnn.S says the same");

OURS struct aclnn aclnn_operators[OPERATORS];
extern const char aclnn_code[]; /* aclnn.S */
OURS void aclnn_entered(struct aclnn *op, const void *caller);
OURS aclnnStatus aclnn_second(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream,
			      struct aclnn *op);

/* Names that are exported, both phases of one after the other, without an address for the loader to fill in. */
#define ACLNN(name) char name[sizeof("aclnn" #name)];
static const struct names {
#include "hooks/aclnn_names.def"
} names = {
#undef ACLNN
#define ACLNN(name) "aclnn" #name,
#include "hooks/aclnn_names.def"
};
#undef ACLNN
#define ACLNN(name) offsetof(struct names, name),
static const uint16_t name_at[] = {
#include "hooks/aclnn_names.def"
};
#define EXPORTED (2 * sizeof(name_at) / sizeof(*name_at))
_Static_assert(sizeof(struct names) <= UINT16_MAX && EXPORTED < OPERATORS, "room for every name");

/* ---- looked up ---- */

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && !strcmp(name + n - m, end);
}

/* Functions of the same prefix that are no operators. */
static bool is_operator(const char *name)
{
	return own_starts(name, "aclnn") && !own_equal(name, "aclnnInit") && !own_equal(name, "aclnnFinalize");
}

static struct aclnn *known(const void *real, unsigned int n)
{
	for (unsigned int i = EXPORTED; i < n && i < OPERATORS; i++)
		if (aclnn_operators[i].real == real)
			return &aclnn_operators[i];
	return NULL;
}

static void fill(struct aclnn *op, const char *name, void *real)
{
	void *none = NULL;

	op->first = ends_with(name, FIRST_PHASE);
	op->hook = op->first ? HOOK_aclnnGetWorkspaceSize : HOOK_aclnn;
	if (op->symbol != name)
		own_copy(op->symbol, sizeof(op->symbol), name);
	atomic_compare_exchange_strong(&hook_slots[op->hook].hint, &none, real);
	__atomic_store_n(&op->real, real, __ATOMIC_RELEASE);
}

static struct aclnn *make(const char *name, void *real)
{
	static _Atomic unsigned int used = EXPORTED;
	struct aclnn *op = known(real, atomic_load(&used));
	struct elf_object o;
	unsigned int i;

	if (op || !elf_object_at(real, &o) || !hook_pin(o.path))
		return op;
	i = atomic_fetch_add(&used, 1);
	if (i >= OPERATORS) {
		atomic_store(&used, OPERATORS);
		return NULL;
	}
	op = &aclnn_operators[i];
	fill(op, name, real);
	return op;
}

void *aclnn_handout(const char *name, void *real)
{
	struct aclnn *op = is_operator(name) ? make(name, real) : NULL;

	if (!op)
		return NULL;
	return (void *)(aclnn_code + (op - aclnn_operators) * 16);
}

/* ---- linked ---- */

/* No library has it: the program was linked to one that does, and runs beside one that does not. */
static aclnnStatus missing(void)
{
	return ACL_ERROR_FEATURE_UNSUPPORTED;
}

/* An exported one is called for the first time. Two threads at once find the same. */
static void resolve(struct aclnn *op)
{
	size_t i = (size_t)(op - aclnn_operators);
	struct elf_object o;
	void *real;

	own_copy(op->symbol, sizeof(op->symbol), (const char *)&names + name_at[i / 2]);
	if (i % 2)
		own_copy(op->symbol + strlen(op->symbol), sizeof(op->symbol) - strlen(op->symbol), FIRST_PHASE);
	real = elf_find(op->symbol, true);
	if (real && elf_object_at(real, &o))
		hook_pin(o.path);
	fill(op, op->symbol, real ? real : (void *)missing);
}

/* ---- called ---- */

/* The agent of a forked child asks for the name anew. */
static uint64_t name_of(struct aclnn *op)
{
	uint64_t name = atomic_load_explicit(&op->name, memory_order_relaxed);
	bool matches;

	if (LIKELY(name >> 32 == record_generation))
		return (uint32_t)name;
	name = name_id(op->symbol, &matches);
	if (name == NAME_LATER)
		return 0;
	atomic_store(&op->name, name | (uint64_t)record_generation << 32);
	return name;
}

static void start(const struct aclnn *op, const void *caller)
{
	if (UNLIKELY(!gate_load() || !hook_defined(op->hook)))
		hook_resolve(op->hook, caller);
}

aclnnStatus aclnn_second(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream,
			 struct aclnn *op)
{
	aclnnStatus (*real)(void *, uint64_t, aclOpExecutor *, aclrtStream) = op->real;
	const void *caller = __builtin_return_address(0);
	struct ascend_timed own;
	struct call c;
	aclnnStatus rc;

	UNWINDS;
	start(op, caller);
	c.timed = c.noted = false;
	c.recording = enter(&c, HOOK_aclnn, EV_OPERATOR, caller);
	if (c.recording)
		ascend_want(&c, stream, &own, true);
	rc = real(workspace, size, executor, stream);
	if (!c.recording) {
		if (c.noted)
			record_out();
		return rc;
	}
	record_stop(&c);
	if (!rc)
		ascend_end(&c, &own);
	c.result = rc;
	c.event.stream = ascend_stream(stream, !rc);
	c.event.key = launch_id(name_of(op), 0, NULL, NULL);
	record_leave(&c);
	ascend_keep(&c, &own, !rc);
	return rc;
}

/* A first phase's duration is not known: nobody comes back from the jump. */
void aclnn_entered(struct aclnn *op, const void *caller)
{
	struct call c;

	if (!op->real)
		resolve(op);
	if (!op->first || gate_shut(GATE_WINDOW))
		return;
	start(op, caller);
	c.timed = c.noted = false;
	c.recording = enter(&c, HOOK_aclnnGetWorkspaceSize, EV_PREPARE, caller);
	if (c.noted)
		record_out();
	if (!c.recording)
		return;
	c.event.duration = 0;
	c.event.key = launch_id(name_of(op), 0, NULL, NULL);
	record_leave(&c);
}
