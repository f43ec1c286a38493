#include "config/step_source/symbol.h"
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/step_source.h"

/* Copies [from, end) if it fits and is not empty. */
static bool take(char *to, size_t size, const char *from, const char *end)
{
	size_t length = (size_t)(end - from);

	if (!length || length >= size)
		return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

bool symbol_read(struct symbol_spec *s, const char *argument)
{
	const char *colon = strchr(argument, ':'), *at = strchr(argument, '@');

	if (!colon || !at || at < colon)
		return false;
	s->at_return = !strcmp(at, "@return");
	if (!s->at_return && strcmp(at, "@entry"))
		return false;
	return take(s->library, sizeof(s->library), argument, colon) && take(s->name, sizeof(s->name), colon + 1, at);
}

int symbol_parse(struct step_source_spec *s, char *why, size_t size)
{
	struct symbol_spec symbol;

	if (!symbol_read(&symbol, s->argument))
		return refuse(why, size, "'symbol:%.64s' is not a symbol: write "
					 "symbol:LIB:NAME@entry or symbol:LIB:NAME@return",
			      s->argument);
	s->ends = symbol.at_return;
	return 0;
}
