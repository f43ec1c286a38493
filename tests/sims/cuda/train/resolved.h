/* resolved.h - the driver's functions as its resolver knows them: name, first version, of a thread's streams? and the symbol that each is. */
#pragma once

static const struct {
	const char *name;
	int version, thread;
	const char *symbol;
} abis[] = {
#define RESOLVED(name, version, thread, symbol) { name, version, thread, #symbol },
#include "resolved.def"
};
