#include "analysis/trace/results.h"

#include <stddef.h>
#include <string.h>

#include "hooks/rows/ids.h"
#include "hooks/rows/index.h"

static const struct {
	const char *family;
	int32_t code;
	const char *name;
} results[] = {
#define RESULT(family, code, name) { #family, code, #name },
#include "hooks/rows/vendors.def"
};

/* Of a row's, by its number: the family that its .def file says. */
static const char *const families[] = {
#define WORD(word)	   #word,
#define WORD_OF(word)	   WORD(word)
#define HOOK(...)	   WORD_OF(HOOK_RESULTS)
#define HOOK_AS(sym, kind) WORD_OF(HOOK_RESULTS)
#define HOOK_ANY(...)	   WORD_OF(HOOK_RESULTS)
#include "hooks/rows/one_form.h"
#include "hooks/rows/vendors.def"
};

const char *result_name(const char *entry_point, int64_t result)
{
	int row = index_find(entry_point);

	if (row < 0)
		row = index_fit(entry_point);
	for (size_t i = 0; row >= 0 && i < sizeof(results) / sizeof(results[0]); i++)
		if (!strcmp(results[i].family, families[row]) && results[i].code == result)
			return results[i].name;
	return NULL;
}
