/* cupti_abi.h - CUPTI's records as cupti_activity.h has them, of 12.4 and of 13.0: how they begin, and that is all we read. Longer ones begin alike. */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int32_t CUptiResult;

enum { CUPTI_KIND_MEMCPY = 1,
       CUPTI_KIND_MEMSET = 2,
       CUPTI_KIND_DRIVER = 4,
       CUPTI_KIND_RUNTIME = 5,
       CUPTI_KIND_CONCURRENT_KERNEL = 10,
       CUPTI_KIND_MEMCPY2 = 22, /* from device to device */
       CUPTI_KIND_EXTERNAL_CORRELATION = 39 };
enum { CUPTI_CORRELATION_CUSTOM2 = 5 };
enum { CUPTI_FLUSH_FORCED = 1 };

/* Of all. */
typedef struct {
	int32_t kind;
} cupti_record;

typedef struct {
	int32_t kind;
	uint32_t configuration[3];
	uint64_t start, end; /* ns; 0: not known */
	uint64_t completed;
	uint32_t device, context, stream;
	uint32_t grid[3], block[3], shared[2], local[2];
	uint32_t correlation;
} cupti_kernel;
_Static_assert(offsetof(cupti_kernel, device) == 40, "as in cupti_activity.h");
_Static_assert(offsetof(cupti_kernel, correlation) == 92, "as in cupti_activity.h");

/* A copy or a fill. */
typedef struct {
	int32_t kind;
	uint32_t what;
	uint64_t bytes, start, end;
	uint32_t device, context, stream, correlation;
} cupti_copy;
_Static_assert(offsetof(cupti_copy, correlation) == 44, "as in cupti_activity.h");

/* From device to device. */
typedef struct {
	int32_t kind;
	uint32_t what;
	uint64_t bytes, start, end;
	uint32_t device, context, stream;
	uint32_t from[2], to[2];
	uint32_t correlation;
} cupti_copy2;
_Static_assert(offsetof(cupti_copy2, correlation) == 60, "as in cupti_activity.h");

typedef struct {
	int32_t kind, of; /* of: what the number was pushed as */
	uint64_t number;
	uint32_t correlation;
} cupti_external;
_Static_assert(offsetof(cupti_external, correlation) == 16, "as in cupti_activity.h");
