/* thread_streams.h - default streams of threads: another one in each context, for each thread that there is or was. */
#pragma once
#include "hooks/capture/streams/contexts.h"

/* This thread's, in the table of streams: odd, and nobody else's. */
uint64_t thread_streams_here(struct streams *of);

/* The thread ends, and its default streams. */
void thread_streams_end(struct streams *of);
