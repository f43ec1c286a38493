/* sizes.h - how many there are of what assembly looks at, too. Macros and nothing else. */
#pragma once

#define CALL_SITES  8192 /* a power of two */
#define TRAMPOLINES 4096
