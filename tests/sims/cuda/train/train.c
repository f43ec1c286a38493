/*
 * train.c - a training run on a GPU with a known number of everything: a line is fitted through points by gradient descent.
 *
 *   train-FORM [STEPS]
 * Prints the losses, what events and graphs came to, and how often it called what in which step.
 */
#include "tests/sims/cuda/abi.h"
#include "tests/sims/cuda/train/called.h"
#include "tests/sims/cuda/train/gpu.h"
#include "tests/sims/cuda/train/group.h"
#include <dlfcn.h>
#include <stdlib.h>

#define POINTS 64
#define SIZE   (POINTS * sizeof(float))

static float points[POINTS], wanted[POINTS], host_loss;
static float *x, *y, *guess, *error, *loss, *weights, *gradient, *counter, *pinned;
static int n = POINTS, called_back;

static void begin_step(int step)
{
	void (*tell)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");

	called_step(step);
	if (tell)
		tell(step);
}

static void call_back(void *data)
{
	*(int *)data += 1;
}

/* ---- parts of a step ---- */

/* 4 launches, one each way; 2 copies to the device, 1 from it, 1 fill */
static void descend(void)
{
	float rate = 0.01f;

	gpu_in(x, points, SIZE, OWN);
	gpu_in(y, wanted, SIZE, OWN);
	gpu_fill(gradient, 0, 8, OWN);
	gpu_launch(FORWARD, PLAIN, OWN, (void *[]){ &guess, &x, &weights, &n });
	gpu_launch(LOSS, OLD, OWN, (void *[]){ &loss, &error, &guess, &y, &n });
	gpu_launch(BACKWARD, CONFIG, OWN, (void *[]){ &gradient, &error, &x, &n });
	gpu_launch(UPDATE, COOPERATIVE, OWN, (void *[]){ &weights, &gradient, &rate });
	gpu_wait(OWN);
	gpu_out(&host_loss, loss, 4);
}

static void count_in(enum stream stream)
{
	float one = 1;

	gpu_launch(ADD, PLAIN, stream, (void *[]){ &counter, &one });
}

/* 3 launches: as many kernels as the time between the events is */
static void three(void)
{
	for (int i = 0; i < 3; i++)
		count_in(OWN);
}

static void on_side(void)
{
	count_in(SIDE);
}

/* 1 launch on each stream, 2 to the host, 1 that fails */
static void all_streams(void)
{
	for (int stream = 0; stream < STREAMS; stream++)
		count_in((enum stream)stream);
	gpu_host(OWN, call_back, &called_back);
	gpu_host(NONE, call_back, &called_back);
	gpu_launch_nothing();
}

/* 2 kernels, on two streams, and a fill */
static void to_capture(void)
{
	gpu_fill(error, 1, SIZE, OWN);
	count_in(OWN);
	gpu_fork(on_side);
}

static void run_step(int step)
{
	float ms = -1;
	bool complete = false;

	begin_step(step);
	descend();
	all_streams();
	gpu_between(error, guess, SIZE, OWN);
	gpu_rectangle(error, guess, 16, 4, OWN);
	gpu_memory(OWN, 1024 * (size_t)step);
	gpu_events(three, &ms, &complete);
	gpu_replay(OWN);
	gpu_replay(THREAD);
	group_collectives(step);
	gpu_wait_all();
	printf("loss %d %.9g\nevent %d %d %.6f\n", step, (double)host_loss, step, complete, (double)ms);
}

/* ---- begin and end ---- */

static void allocate(void)
{
	float **device[] = { &x, &y, &guess, &error, &loss, &weights, &gradient, &counter };

	for (size_t i = 0; i < sizeof(device) / sizeof(*device); i++) {
		*device[i] = gpu_alloc(SIZE);
		gpu_fill(*device[i], 0, SIZE, NONE);
	}
	pinned = gpu_alloc_host(64);
	for (int i = 0; i < POINTS; i++) {
		points[i] = (float)((i * 7) % 11) / 11;
		wanted[i] = 3 * points[i] + 2;
	}
}

static void release(void)
{
	float *device[] = { x, y, guess, error, loss, weights, gradient, counter };

	for (size_t i = 0; i < sizeof(device) / sizeof(*device); i++)
		gpu_free(device[i]);
	gpu_free_host(pinned);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 4;

	gpu_start();
	allocate();
	gpu_capture(to_capture);
	printf("nodes %d\n", gpu_nodes());
	group_start();
	for (int step = 1; step <= steps; step++)
		run_step(step);
	begin_step(steps + 1); /* the last one ends here */
	called_step(-1);
	group_end();
	gpu_out(pinned, counter, 4);
	printf("counted %g\ncalled back %d\n", (double)*pinned, called_back);
	release();
	gpu_end();
	return 0;
}
