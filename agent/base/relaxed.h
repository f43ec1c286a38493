/*
 * relaxed.h - relaxed atomics for the hot path. gcc makes the address of an atomic in a register of its own first, on aarch64,
 * where one instruction could do: there they are volatile accesses, which are whole.
 */
#pragma once
#include <stdatomic.h>
#include <stdint.h>
#include "agent/base/attributes.h"

#if defined(__aarch64__) && !defined(__SANITIZE_THREAD__)
#define RELAXED_IS_VOLATILE 1
#else
#define RELAXED_IS_VOLATILE 0
#endif

ALWAYS_INLINE uint64_t relaxed_load(const _Atomic uint64_t *from)
{
	return RELAXED_IS_VOLATILE ? *(const volatile uint64_t *)from : atomic_load_explicit(from, memory_order_relaxed);
}

ALWAYS_INLINE void *relaxed_load_pointer(_Atomic(void *) const *from)
{
	return RELAXED_IS_VOLATILE ? *(void *const volatile *)from : atomic_load_explicit(from, memory_order_relaxed);
}

ALWAYS_INLINE void relaxed_store(_Atomic uint64_t *to, uint64_t value)
{
	if (RELAXED_IS_VOLATILE)
		*(volatile uint64_t *)to = value;
	else
		atomic_store_explicit(to, value, memory_order_relaxed);
}
