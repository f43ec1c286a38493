/* symbol.h - LIB:NAME@entry or LIB:NAME@return, taken apart. */
#pragma once
#include <stdbool.h>

struct symbol_spec {
	char library[64], name[128];
	bool at_return; /* the boundary is its return, not its entry */
};

/* False: that is no symbol. */
bool symbol_read(struct symbol_spec *s, const char *argument);
