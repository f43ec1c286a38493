/* ok.h - OK(call): a program ends where a call does not answer 0. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                 \
	do {                                                     \
		int rc_ = (int)(call);                           \
		if (rc_)                                         \
			printf("%s: %d\n", #call, rc_), exit(1); \
	} while (0)
