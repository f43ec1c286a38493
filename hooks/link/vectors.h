/* vectors.h - how wide this processor's vectors are, for assembly that keeps or copies what others have in theirs. */
#pragma once
#include "agent/base/attributes.h"

extern int vectors_width OURS; /* x86-64: 0: 128 bits, or not asked yet, 1: 256, 2: 512 */
extern int vectors_spare OURS; /* 1: ymm16 to 31 are there, which hold no arguments, and whose use costs nobody anything later */

/* Takes microseconds on a virtual machine, the first time. */
void vectors_ask(void);
