/* fake_counts.h - how many calls reached the fake library, by process; shared with the test. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

#ifndef FAKE_PROCESSES
#define FAKE_PROCESSES 256 /* a power of two */
#endif

struct fake_counts {
	struct {
		_Atomic uint32_t pid, padding;
		_Atomic uint64_t calls;
	} process[FAKE_PROCESSES];
};
