/* attributes.h - words for what the compiler is told of functions, variables and branches. */
#pragma once
#define EXPORT	      __attribute__((visibility("default")))
#define OURS	      __attribute__((visibility("hidden"))) /* reached without the GOT: hot variables */
#define NOINLINE      __attribute__((noinline, cold))
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define LIKELY(x)     __builtin_expect(!!(x), 1)
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define BIT(n)	      (1u << (n))

/* Code that may run before a sanitizer's own start must not be instrumented. */
#define BARE	      __attribute__((no_sanitize("address", "thread", "undefined")))
