/* bench_tp.h - the LTTng-UST events that an entry+exit wrapper of these calls would write. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ranktrace_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./bench_tp.h"
#if !defined(BENCH_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_TP_H
#include <lttng/tracepoint.h>
#include <stdint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(ranktrace_bench, entry,
	LTTNG_UST_TP_ARGS(uint64_t, kernel, uint64_t, queue, uint32_t, gx, uint32_t, gy, uint32_t, lx, uint32_t, ly),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer_hex(uint64_t, kernel, kernel)
		lttng_ust_field_integer_hex(uint64_t, queue, queue)
		lttng_ust_field_integer(uint32_t, gx, gx)
		lttng_ust_field_integer(uint32_t, gy, gy)
		lttng_ust_field_integer(uint32_t, lx, lx)
		lttng_ust_field_integer(uint32_t, ly, ly)))

LTTNG_UST_TRACEPOINT_EVENT_CLASS(ranktrace_bench, object,
	LTTNG_UST_TP_ARGS(uint64_t, object, uint64_t, bytes),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer_hex(uint64_t, object, object)
		lttng_ust_field_integer(uint64_t, bytes, bytes)))
#define OBJECT(name)                                                                       \
	LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(ranktrace_bench, object, ranktrace_bench, name, \
		LTTNG_UST_TP_ARGS(uint64_t, object, uint64_t, bytes))
OBJECT(write)
OBJECT(read)
OBJECT(fill)
OBJECT(create)
OBJECT(release)
OBJECT(finish)

LTTNG_UST_TRACEPOINT_EVENT(ranktrace_bench, exit,
	LTTNG_UST_TP_ARGS(int, rc),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, rc, rc)))
/* clang-format on */
#endif
#include <lttng/tracepoint-event.h>
