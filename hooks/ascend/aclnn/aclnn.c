/*
 * aclnn.c - operators by name: the pool of those that are known, whether by a look-up or because the program was linked to
 * their names. What happens when one is called: first_phase.c, second_phase.c.
 */
#include "hooks/ascend/aclnn/aclnn.h"
#include <string.h>
#include "agent/base/text.h"
#include "agent/os/elf.h"
#include "agent/session/session.h"
#include "hooks/ascend/abi/abi.h"
#include "hooks/ascend/aclnn/operator.h"
#include "hooks/ascend/aclnn/ways.h"
#include "hooks/capture/interned_names.h"

OURS struct aclnn aclnn_operators[OPERATORS];
extern const char aclnn_code[]; /* aclnn.S */

/* Names that are exported, both phases of one after the other, without an address for the loader to fill in. */
#define ACLNN(name)    char name[sizeof("aclnn" #name)];
#define FIRST_OF(name) char name[sizeof(#name)];
static const struct names {
#include "hooks/ascend/aclnn/names.def"
} names = {
#undef ACLNN
#undef FIRST_OF
#define ACLNN(name)    "aclnn" #name,
#define FIRST_OF(name) #name,
#include "hooks/ascend/aclnn/names.def"
};
#undef ACLNN
#undef FIRST_OF
#define ACLNN(name) offsetof(struct names, name),
#define FIRST_OF    ACLNN
static const uint16_t name_at[] = {
#include "hooks/ascend/aclnn/names.def"
};
#define EXPORTED (2 * sizeof(name_at) / sizeof(*name_at))
#undef ACLNN
#define ACLNN(name) char name[sizeof("aclnn" #name FIRST_PHASE)];
union longest {
#include "hooks/ascend/aclnn/names.def"
};
_Static_assert(sizeof(struct names) <= UINT16_MAX && EXPORTED < OPERATORS && sizeof(union longest) <= SYMBOL_BYTES,
	       "room for every name");

/* ---- looked up ---- */

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && !strcmp(name + n - m, end);
}

static bool follows(const char *name, const char *prefix)
{
	return text_starts(name, prefix) && name[strlen(prefix)] >= 'A' && name[strlen(prefix)] <= 'Z';
}

/* Some functions of the same prefix are none. Of other prefixes, second phases are rows. */
static bool is_operator(const char *name)
{
	if (text_starts(name, "aclnn"))
		return !text_equal(name, "aclnnInit") && !text_equal(name, "aclnnFinalize");
	return (follows(name, "acl") || follows(name, "Atb")) && ends_with(name, FIRST_PHASE);
}

static unsigned int hook_of(const char *name, bool first)
{
	if (text_starts(name, "aclnn"))
		return first ? HOOK_aclnnGetWorkspaceSize : HOOK_aclnn;
	return text_starts(name, "acl") ? HOOK_aclGetWorkspaceSize : HOOK_AtbGetWorkspaceSize;
}

/* Of its phase, in the n ways so far. */
static struct aclnn *known(const void *real, unsigned int first, unsigned int n)
{
	for (unsigned int i = EXPORTED + first; i < n && i < OPERATORS; i += 2)
		if (aclnn_operators[i].real == real)
			return &aclnn_operators[i];
	return NULL;
}

/* Without the end that a first phase's name has. */
uint32_t aclnn_operator_of(const char *name)
{
	size_t n = strlen(name) - (ends_with(name, FIRST_PHASE) ? strlen(FIRST_PHASE) : 0);
	uint32_t h = 0x811C9DC5u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)name[i]) * 0x01000193u;
	return h | 1;
}

static void fill(struct aclnn *op, const char *name, void *real)
{
	void *none = NULL;

	op->first = ends_with(name, FIRST_PHASE);
	op->hook = hook_of(name, op->first);
	if (op->symbol != name)
		text_copy(op->symbol, sizeof(op->symbol), name);
	op->op = aclnn_operator_of(op->symbol);
	atomic_compare_exchange_strong(&hook_slots[op->hook].hint, &none, real);
	__atomic_store_n(&op->real, real, __ATOMIC_RELEASE);
}

/* Its name, cut short, would be another's; where it lies, it must stay. */
static bool fits(const char *name, const void *real)
{
	struct elf_object o;

	return strlen(name) < SYMBOL_BYTES && elf_object_at(real, &o) && hook_pin(o.path);
}

static struct aclnn *make(const char *name, void *real)
{
	static _Atomic unsigned int phases_used[2] = { EXPORTED, EXPORTED + 1 }; /* odd ones lead to first phases: aclnn.S */
	unsigned int first = ends_with(name, FIRST_PHASE), i;
	_Atomic unsigned int *used = &phases_used[first];
	struct aclnn *op = known(real, first, atomic_load(used));

	if (op)
		return op;
	i = atomic_load(used) < OPERATORS && fits(name, real) ? atomic_fetch_add(used, 2) : OPERATORS;
	if (i >= OPERATORS) {
		session_beyond(LIMIT_unwrapped_operators, 1);
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
	return (void *)(aclnn_code + ((op - aclnn_operators) << WAY_LOG));
}

/* ---- linked ---- */

/* No library has it: the program was linked to one that does, and runs beside one that does not. */
static aclnnStatus missing(void)
{
	return ACL_ERROR_FEATURE_UNSUPPORTED;
}

/* Two threads at once find the same. */
void aclnn_resolve(struct aclnn *op)
{
	size_t i = (size_t)(op - aclnn_operators);
	struct elf_object o;
	void *real;

	text_copy(op->symbol, sizeof(op->symbol), (const char *)&names + name_at[i / 2]);
	if (i % 2)
		text_copy(op->symbol + strlen(op->symbol), sizeof(op->symbol) - strlen(op->symbol), FIRST_PHASE);
	real = elf_find(op->symbol, true);
	if (real && elf_object_at(real, &o))
		hook_pin(o.path);
	fill(op, op->symbol, real ? real : (void *)missing);
}

/* ---- names and launches ---- */

/* The agent of a forked child asks for a name anew. 0: it is not known. */
static uint64_t known_name(const _Atomic uint64_t *cached)
{
	uint64_t name = atomic_load_explicit(cached, memory_order_relaxed);

	return name >> 32 == session_generation ? (uint32_t)name : 0;
}

static uint64_t name_of(_Atomic uint64_t *cached, const char *text)
{
	uint64_t name = known_name(cached);
	bool matches;

	if (LIKELY(name))
		return name;
	name = name_id(text, &matches);
	if (name == NAME_LATER)
		return 0;
	atomic_store(cached, name | (uint64_t)session_generation << 32);
	return name;
}

uint64_t aclnn_own_name(struct aclnn *op)
{
	return name_of(&op->name, op->symbol);
}

uint64_t aclnn_operator_name(struct aclnn *op)
{
	uint64_t known = known_name(&op->op_name);
	char text[sizeof(op->symbol)];
	size_t n;

	if (LIKELY(known))
		return known;
	n = text_copy(text, sizeof(text), op->symbol);
	if (op->first)
		text[n - strlen(FIRST_PHASE)] = '\0';
	return name_of(&op->op_name, text);
}

NOINLINE uint64_t aclnn_launch_slowly(struct aclnn *op)
{
	uint64_t id = launch_id(aclnn_own_name(op), 0, NULL, NULL);

	if (id && id <= UINT32_MAX && aclnn_own_name(op))
		atomic_store(&op->launch, id | (uint64_t)session_generation << 32);
	return id;
}
