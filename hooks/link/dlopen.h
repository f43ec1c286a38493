/* dlopen.h - what dlopen, dlmopen and dlclose mean for us: every library that comes may be a provider, and none that we need may go. */
#pragma once

/* For the constructor: libraries are opened long before settings are read. */
void dlopen_early(void);

/* The real one. */
void *dlopen_real(void);
