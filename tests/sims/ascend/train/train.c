/*
 * train.c - a training run with a known number of everything: a line is fitted through points by gradient descent.
 *
 *   host MODULE ROAD MODE STEPS
 * ROAD is linked, handle or default (api.h), MODE 0, 1 or 2 (queue.h). Prints the losses, what events and graphs
 * came to, and how often it called what in which step.
 */
#include "tests/sims/ascend/train/work.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTS	 8
#define FEATURES 4

static float points[POINTS][FEATURES], wanted[POINTS];
static struct matrix x = { { POINTS, FEATURES }, { FEATURES, 1 }, NULL };
static struct matrix turned = { { FEATURES, POINTS }, { 1, FEATURES }, NULL }; /* x, read the other way */
static struct matrix y = { { POINTS, 1 }, { 1, 1 }, NULL }, guess = { { POINTS, 1 }, { 1, 1 }, NULL };
static struct matrix error = { { POINTS, 1 }, { 1, 1 }, NULL }, squares = { { POINTS, 1 }, { 1, 1 }, NULL };
static struct matrix weights = { { FEATURES, 1 }, { 1, 1 }, NULL }, gradient = { { FEATURES, 1 }, { 1, 1 }, NULL };
static struct matrix change = { { FEATURES, 1 }, { 1, 1 }, NULL }, better = { { FEATURES, 1 }, { 1, 1 }, NULL };
static struct matrix loss = { { 1, 1 }, { 1, 1 }, NULL };
static struct matrix *const all[] = { &x, &y, &guess, &error, &squares, &weights, &gradient, &change, &better, &loss };
#define MATRICES (sizeof(all) / sizeof(*all))

static void begin_step(int step)
{
	void (*tell)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");

	api_step(step);
	if (tell)
		tell(step);
}

static void allocate(void)
{
	for (size_t i = 0; i < MATRICES; i++)
		OK(aclrtMallocAlign32, &all[i]->data, (size_t)(all[i]->dims[0] * all[i]->dims[1]) * 4, 0);
	turned.data = x.data;
	OK(aclrtMallocAlign32, &op_workspace, 4096, 0);
	OK(aclrtMemset, weights.data, FEATURES * 4, 0, FEATURES * 4);
	for (int p = 0; p < POINTS; p++)
		for (int f = 0; f < FEATURES; f++) {
			points[p][f] = (float)((p * 7 + f * 3) % 11) / 11;
			wanted[p] += points[p][f] * (float)(f + 1);
		}
}

static void release(void)
{
	for (size_t i = 0; i < MATRICES; i++)
		OK(aclrtFree, all[i]->data);
	OK(aclrtFree, op_workspace);
}

static void copy_points(struct request *r)
{
	OK(aclrtMemcpyAsync, x.data, sizeof(points), points, sizeof(points), ACL_MEMCPY_HOST_TO_DEVICE, r->stream);
	OK(aclrtMemcpyAsync, y.data, sizeof(wanted), wanted, sizeof(wanted), ACL_MEMCPY_HOST_TO_DEVICE, r->stream);
}

static float host_loss;

static void copy_loss(struct request *r)
{
	OK(aclrtMemcpyAsync, &host_loss, 4, loss.data, 4, ACL_MEMCPY_DEVICE_TO_HOST, r->stream);
}

static void descend(void)
{
	queue_push(&(struct request){ .second = copy_points, .stream = op_stream });
	op_matmul(&x, &weights, &guess);
	op_sub(&guess, &y, &error);
	op_mul(&error, &error, &squares);
	op_sum(&squares, &loss);
	op_matmul(&turned, &error, &gradient);
	op_muls(&gradient, 0.1, &change);
	op_sub(&weights, &change, &better);
	op_copy(&weights, &better);
	queue_push(&(struct request){ .second = copy_loss, .stream = op_stream });
	queue_drain();
	OK(aclrtSynchronizeStream, op_stream);
}

static void run_step(int step)
{
	mstxRangeId range;

	begin_step(step);
	range = CALL(mstxRangeStartA, "step", NULL);
	CALL(mstxMarkA, "mark", op_stream);
	descend();
	work_kernels();
	work_copies();
	work_memory(step);
	work_events(step);
	work_graph();
	group_collectives(step);
	queue_drain();
	OK(aclrtSynchronizeDevice);
	CALL(mstxRangeEnd, range);
	printf("loss %d %.9g\n", step, (double)host_loss);
}

__attribute__((visibility("default"))) int train_main(int argc, char **argv);

int train_main(int argc, char **argv)
{
	int steps = argc > 3 ? atoi(argv[3]) : 4;

	if (argc < 3)
		return 2;
	api_find(argv[1]);
	OK(aclInit, NULL);
	check(CALL(aclInit, NULL), "aclInit once more", SIM_ERROR_REPEAT_INITIALIZE);
	OK(aclrtSetDevice, 0);
	OK(aclrtCreateStreamWithConfig, &op_stream, 0, 3);
	allocate();
	queue_start(atoi(argv[2]));
	work_start();
	group_start();
	op_cached = true;
	for (int step = 1; step <= steps; step++)
		run_step(step);
	begin_step(steps + 1); /* the last one ends here */
	api_step(-1);
	group_end();
	work_end();
	queue_stop();
	release();
	OK(aclrtDestroyStream, op_stream);
	OK(aclFinalize);
	api_print();
	op_print();
	return 0;
}
