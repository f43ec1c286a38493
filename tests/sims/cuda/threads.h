/* threads.h - the _ptsz and _ptds forms: while one of them runs, no stream is the calling thread's own one. */
#pragma once

extern __thread int sim_per_thread __attribute__((visibility("hidden")));
