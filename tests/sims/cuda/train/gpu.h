/* gpu.h - what the training program does with a GPU, by the runtime (runtime.c) or by the driver (driver.c). */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Kernels, in the order of kernels.c. */
enum kernel { FORWARD,
	      LOSS,
	      BACKWARD,
	      UPDATE,
	      ADD,
	      KERNELS };

/* Which of the ways that there are. */
enum way { PLAIN, /* as nvcc 13 makes it */
	   OLD,	  /* as nvcc 12 made it */
	   CONFIG,
	   COOPERATIVE };

extern const struct sim_image kernels;
extern const char *const kernel_names[KERNELS];

/* Streams: one that was made, and those that nobody makes. */
enum stream { OWN,
	      SIDE,
	      NONE,
	      LEGACY,
	      THREAD,
	      STREAMS };

void *gpu_stream(enum stream stream); /* as the vendor's libraries want it */
void gpu_start(void);
void gpu_end(void);
void *gpu_alloc(size_t size);
void gpu_free(void *memory);
void *gpu_alloc_host(size_t size);
void gpu_free_host(void *memory);
void gpu_memory(enum stream stream, size_t size); /* a piece of each other kind, and back */
void gpu_launch(enum kernel kernel, enum way way, enum stream stream, void **params);
void gpu_launch_nothing(void); /* fails */
void gpu_host(enum stream stream, void (*function)(void *), void *data);
void gpu_in(void *to, const void *from, size_t size, enum stream stream);
void gpu_out(void *to, const void *from, size_t size); /* and waits */
void gpu_between(void *to, const void *from, size_t size, enum stream stream);
void gpu_rectangle(void *to, const void *from, size_t width, size_t height, enum stream stream);
void gpu_fill(void *to, int value, size_t size, enum stream stream);
void gpu_wait(enum stream stream);
void gpu_wait_all(void);
void gpu_events(void (*between)(void), float *ms, bool *complete);
void gpu_fork(void (*on_side)(void)); /* SIDE waits for OWN, works, and OWN waits for SIDE */
void gpu_capture(void (*work)(void)); /* OWN, once */
void gpu_replay(enum stream stream);
int gpu_nodes(void); /* of the graph, and of them those that are kernels: 100 * nodes + kernels */
