/* unwritten.h - what stands in a status of ours before the runtime has written one. */
#pragma once

#define UNWRITTEN 0x7ab1e55 /* no status of any runtime */
