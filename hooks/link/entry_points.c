/* entry_points.c - the one file that knows what every vendor's folder defines: by their addresses alone, whatever their types. */
#include "hooks/link/trampoline.h"
#include "hooks/link/vendor.h"
#include "hooks/rows/ids.h"

#include "hooks/rows/one_form.h"
#undef HOOK_INJECTED
#undef HOOK_INJECTED_VOID
#define HOOK_INJECTED(ret, sym, ...) OURS void injected_##sym(void);
#define HOOK_INJECTED_VOID(sym, ...) HOOK_INJECTED(void, sym)
#define HOOK(ret, sym, ...)          \
	void sym(void);              \
	OURS void own_##sym(void);   \
	void trampoline_##sym(void); \
	extern const uint32_t opens_##sym OURS;
#include "hooks/rows/vendors.def"

/* What trampolines jump to, by hook number. */
#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind) [HOOK_##sym##_as_##kind] = { NULL, NULL, NULL, NULL },
#define HOOK_ANY(sym, ...) [HOOK_##sym] = { NULL, NULL, NULL, NULL },
#undef HOOK_DOUBLE
#undef HOOK_DOUBLE_VOID
#define HOOK_DOUBLE(ret, sym, ...) [HOOK_##sym] = { (void *)sym, (void *)own_##sym, NULL, NULL },
#define HOOK_DOUBLE_VOID(sym, ...) HOOK_DOUBLE(void, sym)
#undef HOOK_INJECTED
#undef HOOK_INJECTED_VOID
#define HOOK_INJECTED(ret, sym, ...) [HOOK_##sym] = { (void *)injected_##sym, NULL, NULL, NULL },
#define HOOK_INJECTED_VOID(sym, ...) HOOK_INJECTED(void, sym)
#define HOOK(ret, sym, ...)	     [HOOK_##sym] = { (void *)sym, (void *)own_##sym, (void *)trampoline_##sym, &opens_##sym },

const struct hook_entry hook_entries[HOOK_COUNT] = {
#include "hooks/rows/vendors.def"
};

#define VENDOR(name) &name##_vendor,
const struct vendor *const vendors[] = {
#include "hooks/rows/vendors.def"
	NULL,
};
