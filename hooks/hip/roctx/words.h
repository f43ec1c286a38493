/* words.h - what the capture words of roctx.def do around a call: hooks/capture/markers/words.h tells of their parts. */
#pragma once
#include "hooks/capture/markers/words.h"
#include "hooks/hip/roctx/kinds.h"

static struct markers roctx_markers;

#define LOCALS		MARKER_LOCALS
#define SHORT_WAY(ready, slow, go) ""
#define THE_MARKERS	roctx_markers
#define KNOW(within)	(void)0

/* ROCTX_MARK(message). ROCTX_START(message), ROCTX_STOP(number); ROCTX_PUSH(message), ROCTX_POP(): with the levels that the library counts */
#define OPENS_ROCTX_MARK(...)	CLOCKED
#define DO_ROCTX_MARK(said)	MARK_OF(NULL, said)
#define OPENS_ROCTX_START(...)	CLOCKED
#define DO_ROCTX_START(said)	RANGE_OF(NULL, said, rc)
#define OPENS_ROCTX_STOP(...)	CLOCKED
#define DO_ROCTX_STOP(number)	END_OF(number)
#define OPENS_ROCTX_PUSH(...)	CLOCKED
#define DO_ROCTX_PUSH(said)	RANGE_OF(NULL, said, level_number(&roctx_markers, rc))
#define OPENS_ROCTX_POP(...)	CLOCKED
#define DO_ROCTX_POP()		END_OF(level_number(&roctx_markers, rc))
