#include "config/step_source/spec_list.h"
#include <string.h>

bool spec_next(const char **text, const char **from, const char **end)
{
	*from = *text + strspn(*text, " \t;");
	*end = *from + strcspn(*from, ";");
	*text = *end;
	while (*end > *from && strchr(" \t", (*end)[-1]))
		(*end)--;
	return *end > *from;
}
