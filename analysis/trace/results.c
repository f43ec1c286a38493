#include "analysis/trace/results.h"

#include <stddef.h>
#include <string.h>

enum family { ACL,
	      HCCL,
	      MSPTI,
	      CL,
	      NONE };

static const struct {
	enum family family;
	int32_t code;
	const char *name;
} results[] = {
#define RESULT(family, code, name) { family, code, #name },
#include "analysis/trace/results.def"
#undef RESULT
};

/* By the beginning of an entry point's name; the first that fits. */
static const struct {
	const char *begin;
	enum family family;
} families[] = {
	{ "aclshmem", NONE },
	{ "acl", ACL },
	{ "rt", ACL },
	{ "Hccl", HCCL },
	{ "mspti", MSPTI },
	{ "cl", CL },
};

static enum family family_of(const char *entry_point)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strncmp(entry_point, families[i].begin, strlen(families[i].begin)))
			return families[i].family;
	return NONE;
}

const char *result_name(const char *entry_point, int64_t result)
{
	enum family family = family_of(entry_point);

	for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		if (results[i].family == family && results[i].code == result)
			return results[i].name;
	return NULL;
}
