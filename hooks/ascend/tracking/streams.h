/* streams.h - Ascend's streams and contexts: hooks/capture/streams tells of them. */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/capture/streams/streams.h"

extern struct streams ascend_streams OURS;

#define LAST_SPECIAL 0 /* NULL alone is no handle */

/* DEF_STREAM id. A stream that nobody saw being made gets one if the runtime took it (good), else 0. */
ALWAYS_INLINE uint16_t ascend_stream(aclrtStream stream, bool good)
{
	return streams_number(&ascend_streams, stream, LAST_SPECIAL, good);
}
