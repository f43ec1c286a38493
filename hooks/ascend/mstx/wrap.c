/*
 * wrap.c - the exported functions of mstx.def and its like, and the same by injection: every module that uses the header asks
 * once, by InitInjectionMstx, who wants its markers. Others who want them (libprofapi) are asked before us, and passed
 * on to.
 */
#include "hooks/ascend/mstx/words.h"
#include "hooks/ascend/mstx/mstx.def"
#include "hooks/ascend/mstx/torch_npu_gate.def"
#include "hooks/ascend/mstx/aclprof.def"
#include "agent/os/elf.h"

#include "hooks/rows/undef_forms.h"

typedef void (*marker_fn)(void);
typedef int (*get_table_fn)(int module, marker_fn ***table, unsigned int *size);

/*
 * Where nobody is behind us, or who is there does not profile now (libprofapi answers 0 then), a range needs a number all the same, and a
 * domain or heap a handle: ours, which mean nothing to those behind us.
 */
#define OWN_NUMBER (1ull << 52) /* who counts does not come so far, and JSON has it exactly */

static uint64_t own_number(void)
{
	static _Atomic uint64_t count;

	return OWN_NUMBER | (atomic_fetch_add(&count, 1) + 1);
}

static mstxRangeId their_number(mstxRangeId id)
{
	return id & OWN_NUMBER ? 0 : id;
}

#define OR_OWN_mstxRangeStartA(theirs)	     (theirs) ?: own_number()
#define OR_OWN_mstxDomainRangeStartA(theirs) (theirs) ?: own_number()
#define OR_OWN_mstxMemHeapRegister(theirs)   next ? theirs : (mstxMemHeapHandle_t)own_number() /* a failure of theirs is one */
#define OR_OWN_mstxDomainCreateA(theirs)     (theirs) ?: mstx_own_domain(name)

/* As without us. */
#define THEIR_DOMAIN			     domain = mstx_their_domain(domain)
#define THEIR_NUMBER			     id = their_number(id)
#define THEIRS_mstxMarkA
#define THEIRS_mstxRangeStartA
#define THEIRS_mstxRangeEnd THEIR_NUMBER
#define THEIRS_mstxDomainCreateA
#define THEIRS_mstxDomainDestroy	THEIR_DOMAIN
#define THEIRS_mstxDomainMarkA		THEIR_DOMAIN
#define THEIRS_mstxDomainRangeStartA	THEIR_DOMAIN
#define THEIRS_mstxDomainRangeEnd	THEIR_DOMAIN, THEIR_NUMBER
#define THEIRS_mstxMemHeapRegister	THEIR_DOMAIN
#define THEIRS_mstxMemHeapUnregister	THEIR_DOMAIN
#define THEIRS_mstxMemRegionsRegister	THEIR_DOMAIN
#define THEIRS_mstxMemRegionsUnregister THEIR_DOMAIN

/* The body of the row, with whoever had the slot before us as the real function. */
#define INJECTED(ret, sym, params, args, answer)                             \
	static _Atomic(marker_fn) next_##sym;                                \
	static ret behind_##sym params                                       \
	{                                                                    \
		ret(*next) params = (ret(*) params)atomic_load(&next_##sym); \
                                                                             \
		THEIRS_##sym;                                                \
		answer;                                                      \
	}                                                                    \
	static ret injected_##sym params                                     \
	{                                                                    \
		const void *caller = __builtin_return_address(0);            \
                                                                             \
		UNWINDS;                                                     \
		if (UNLIKELY(!hook_defined(HOOK_##sym) || !gate_load()))     \
			hook_begin(HOOK_##sym, caller);                      \
		return body_##sym(behind_##sym, caller LIST args);           \
	}
#define HOOK_VALUE(ret, sym, params, args, ...) INJECTED(ret, sym, params, args, return OR_OWN_##sym((next ? next args : 0)))
#define HOOK_VOID(sym, params, args, ...)	INJECTED(void, sym, params, args, if (next) next args)
#define HOOK(...)
#include "hooks/ascend/mstx/mstx.def"

/* Numbers as in the header, the same in every version. */
#define SLOT(module, number, sym)                                      \
	{                                                              \
		module, number, (marker_fn)injected_##sym, &next_##sym \
	}
static const struct {
	int module;
	unsigned int number;
	marker_fn ours;
	_Atomic(marker_fn) *next;
} slots[] = {
	SLOT(1, 1, mstxMarkA),
	SLOT(1, 2, mstxRangeStartA),
	SLOT(1, 3, mstxRangeEnd),
	SLOT(2, 1, mstxDomainCreateA),
	SLOT(2, 2, mstxDomainDestroy),
	SLOT(2, 3, mstxDomainMarkA),
	SLOT(2, 4, mstxDomainRangeStartA),
	SLOT(2, 5, mstxDomainRangeEnd),
	SLOT(3, 1, mstxMemHeapRegister),
	SLOT(3, 2, mstxMemHeapUnregister),
	SLOT(3, 3, mstxMemRegionsRegister),
	SLOT(3, 4, mstxMemRegionsUnregister),
};

EXPORT int InitInjectionMstx(get_table_fn get)
{
	int (*other)(get_table_fn) = elf_find("InitInjectionMstx", true);
	marker_fn **table = NULL, *slot, none = NULL;
	unsigned int size = 0;

	if (other)
		other(get);
	for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++) {
		if (get(slots[i].module, &table, &size) || !table || slots[i].number >= size)
			continue;
		slot = table[slots[i].number];
		if (!slot || *slot == slots[i].ours)
			continue;
		if (*slot)
			atomic_compare_exchange_strong(slots[i].next, &none, *slot);
		none = NULL;
		*slot = slots[i].ours;
	}
	return 0;
}
