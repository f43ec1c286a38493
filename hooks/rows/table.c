/* table.c - a reading of the rows: the capture word becomes the kind. */
#include "hooks/rows/table.h"
#include "hooks/rows/kinds.h"

#define ROW(symbol, its_kind)	      NAMED_ROW(#symbol, its_kind)
#define NAMED_ROW(its_name, its_kind) { .name = its_name, .library = HOOK_LIBRARY, .family = HOOK_FAMILY, .kind = KIND_OF(its_kind), .flags = FLAGS_OF(its_kind) },
#include "hooks/rows/one_form.h"
#define HOOK(ret, sym, params, args, capture) ROW(sym, KIND_##capture)
#define HOOK_AS(sym, kind)		      ROW(sym, EV_##kind)
#define HOOK_ANY(sym, names, kind)	      NAMED_ROW(names, EV_##kind)

const struct hook_row hook_rows[] = {
#include "hooks/rows/vendors.def"
};
const unsigned int hook_row_count = sizeof(hook_rows) / sizeof(*hook_rows);
