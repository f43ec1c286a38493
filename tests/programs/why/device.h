/* device.h - what the program with faults does on a device: one for each vendor. All goes to one stream. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum kernel { MATMUL,
	      NORM,
	      RELU,
	      ADD,
	      ADAM,
	      KERNELS };

void device_start(uint32_t rank, uint32_t ranks, const char *job);
void device_copy(void);						  /* a batch, from the host */
uint64_t device_copy_more(uint64_t ns);				  /* as much as takes so long; how long it took */
void device_kernel(enum kernel kernel, uint64_t ns, bool longer); /* takes so long; with other shapes than usual */
void device_all_reduce(uint64_t ns);				  /* so long from where all have come to it */
void device_allocate(void);					  /* and free */
void device_build(uint64_t ns);					  /* a kernel that is new: what makes it ready takes so long; and one launch */
void device_first(uint64_t ns);					  /* a kernel that is ready: its first launch takes so long */
void device_wait(void);
void device_end(void);

static inline uint64_t device_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void device_must(int rc, const char *what)
{
	if (!rc)
		return;
	fprintf(stderr, "faulty: %s answered %d\n", what, rc);
	exit(1);
}
#define OK(call) device_must(call, #call)
