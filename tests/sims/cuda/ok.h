/* ok.h - OK(call): a program ends at once where a call does not answer 0, in whichever thread. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

static inline void ok(int rc, const char *call)
{
	if (!rc)
		return;
	printf("%s: %d\n", call, rc);
	fflush(stdout);
	_Exit(1);
}
#define OK(call) ok((int)(call), #call)
