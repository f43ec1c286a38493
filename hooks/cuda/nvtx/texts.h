/* texts.h - handles that stand for texts: NVTX's domains and registered strings. The same text has the same handle in every copy of NVTX. */
#pragma once
#include <stdint.h>

/* NULL: no text, or no room for more. It is never taken back: another copy may have it, too. */
void *nvtx_handle_of(const char *text);

/* NULL: it is no handle of ours. */
const char *nvtx_text_of(const void *handle);
