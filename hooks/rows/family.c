#include "hooks/rows/family.h"
#include <string.h>

bool family_has(const char *family, const char *soname)
{
	for (const char *name = family, *end; soname && *name; name = *end ? end + 1 : end) {
		end = strchrnul(name, ' ');
		if (!strncmp(soname, name, (size_t)(end - name)))
			return true;
	}
	return false;
}
