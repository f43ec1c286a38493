/* mspti_abi.h - msPTI's records as its header has them, the same since 8.1.RC1: without gaps, and 8 bytes apart. */
#pragma once
#include "hooks/ascend/abi/abi.h"

#define MSPTI_RECORD __attribute__((packed, aligned(8)))

enum { MSPTI_KIND_KERNEL = 2,
       MSPTI_KIND_EXTERNAL_CORRELATION = 8,
       MSPTI_KIND_COMMUNICATION = 9 };
enum { MSPTI_CORRELATION_CUSTOM2 = 4 };

typedef struct {
	int32_t kind;
} MSPTI_RECORD mspti_record;

typedef struct {
	int32_t kind;
	uint64_t start, end; /* ns since the Unix epoch */
	uint32_t device, stream;
	uint64_t correlation;
	const char *type, *name;
} MSPTI_RECORD mspti_kernel;
_Static_assert(sizeof(mspti_kernel) == 56, "as in mspti_activity.h");

typedef struct {
	int32_t kind, type;
	uint64_t count;
	uint32_t device, stream;
	uint64_t start, end; /* of the device, as a kernel's */
	const char *algorithm, *name, *communicator;
	uint64_t correlation;
} MSPTI_RECORD mspti_communication; /* newer than 8.1.RC1 */
_Static_assert(sizeof(mspti_communication) == 72, "as in mspti_activity.h");

typedef struct {
	int32_t kind, of; /* of: what the number was pushed as */
	uint64_t number, correlation;
} MSPTI_RECORD mspti_external;
_Static_assert(sizeof(mspti_external) == 24, "as in mspti_activity.h");
