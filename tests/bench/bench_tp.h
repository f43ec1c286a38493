/* bench_tp.h - the LTTng-UST events that an entry+exit wrapper of a launch would write. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ranktrace_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./bench_tp.h"
#if !defined(BENCH_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_TP_H
#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(ranktrace_bench, entry,
			   LTTNG_UST_TP_ARGS(uint64_t, kernel, uint64_t, queue, uint32_t, gx, uint32_t, gy, uint32_t, lx, uint32_t, ly),
			   LTTNG_UST_TP_FIELDS(
				   lttng_ust_field_integer_hex(uint64_t, kernel, kernel)
					   lttng_ust_field_integer_hex(uint64_t, queue, queue)
						   lttng_ust_field_integer(uint32_t, gx, gx)
							   lttng_ust_field_integer(uint32_t, gy, gy)
								   lttng_ust_field_integer(uint32_t, lx, lx)
									   lttng_ust_field_integer(uint32_t, ly, ly)))
LTTNG_UST_TRACEPOINT_EVENT(ranktrace_bench, exit,
			   LTTNG_UST_TP_ARGS(int, rc),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, rc, rc)))
#endif
#include <lttng/tracepoint-event.h>
