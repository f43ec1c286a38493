/* ways.h - what assembly and C have to agree on: the ways into operators (aclnn.S), and the frame of a first phase. */
#pragma once

#define OPERATORS 8192 /* ways */
#define WAY_LOG	  6    /* of 64 bytes */

#define COPIED	  1024 /* bytes of the caller's stack arguments, at the bottom of a first phase's frame */
#define FIRST_AT  416  /* below the frame's address: a struct first ... */
#define FIRST_TO  224  /* ... up to here */
