/*
 * gpu.h - a program with a known number of everything, for a real GPU: what driver.c and runtime.c do with it, and what it says.
 *
 * It prints `result` (bits of what came back) and `computed`, for each step `events STEP ns`: the time of its spins between two events
 * of its own, `kernels NAME n`: how many ran, those of graphs too, or `kernels none`, and how often it called what
 * (tests/sims/cuda/train/called.h).
 */
#pragma once
#include <stdint.h>

#define STEPS	 3
#define FLOATS	 4096 /* floats */
#define SPINS	 5
#define SPIN_NS	 200000
#define REPLAYS	 2
#define IN_GRAPH 2 /* kernels */
#define ADDS	 5 /* launches of a step, one each way and stream */
#define SIZE	 (FLOATS * sizeof(float))
#define IN_STEP	 (ADDS + REPLAYS * IN_GRAPH)
#define BLOCKS	 (FLOATS / 256)

extern float host[FLOATS];

int gpu_start(void);	/* is there a GPU? */
void gpu_fill(void);	/* zeros, by each kind of fill */
void gpu_capture(void); /* IN_GRAPH kernels */
void gpu_step(void);	/* ADDS kernels on all streams, REPLAYS graphs, a copy of each kind */
float gpu_spins(void);	/* ms between two events around SPINS kernels */
void gpu_read(void);	/* to host */
void gpu_end(void);
int gpu_has_kernels(void);
