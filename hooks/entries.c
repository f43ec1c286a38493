/* entries.c - fourth reading of the rows: where the functions that wrap.h made of them lie. */
#include "hooks/abi.h"
#include "hooks/ids.h"
#include "hooks/thunk.h"

#include "hooks/alike.h"
#define HOOK_AS(sym, kind)
#define PARAMETERS(...) __VA_ARGS__
#define HOOK(ret, sym, params, ...) \
	ret sym params;             \
	OURS ret own_##sym params;  \
	ret thunked_##sym(aside real, PARAMETERS params);
#include "hooks/all.def"
#undef HOOK_AS
#undef HOOK

/* What thunks jump to, by hook number. */
#define HOOK_AS(sym, kind)	    [HOOK_##sym##_as_##kind] = { NULL, NULL, NULL },
#define HOOK(ret, sym, params, ...) [HOOK_##sym] = { (void *)sym, (void *)own_##sym, (void *)thunked_##sym },

const struct hook_entry hook_entries[HOOK_COUNT] = {
#include "hooks/all.def"
};
