/*
 * periods - could a process find its steps in the sequence of its launches alone? Sequences as trainers make them, whose steps are known, go
 * through the report's two rules (periodic_kernels.h): equal distances, and alike ones. Prints a line for
 * each: NAME launches=.. of a step, and for each rule lock=, the step after which its answer stays a kernel of once a step (0: never), ends=, how many
 * ends of steps that kernel makes of all 40, and ns=, what a launch costs it. And for who has to decide while it runs, knowing of no step: said=, the step
 * in which the same kernel has been the answer three times in a row, asked every 1,024 launches, and said_ends=, how many ends that one makes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/report/kernel_rows.h"

#define STEPS	40
#define KERNELS 8192
#define NONE	-1

static unsigned short *launches; /* kernels, one after the other */
static size_t count, ends[STEPS + 1];
static unsigned int noise; /* percent */

/* ---- sequences ---- */

static unsigned int draw(unsigned int n)
{
	static unsigned long long seed = 88172645463325252ull;

	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return (unsigned int)(seed >> 33) % n;
}

static void launch(unsigned int kernel)
{
	launches[count++] = (unsigned short)kernel;
	if (noise && draw(100) < noise)
		launches[count++] = (unsigned short)(7000 + draw(4));
}

static void layers(unsigned int kernel, unsigned int of_each)
{
	for (unsigned int i = 0; i < 24 * of_each; i++)
		launch(kernel + i % of_each);
}

/* Forward, loss and backward of each micro-batch, then an optimizer. */
static void train(unsigned int micros)
{
	for (unsigned int m = 0; m < micros; m++) {
		launch(1), launch(2);
		layers(100, 12);
		launch(3), launch(4);
		layers(200, 24);
		launch(5);
	}
	for (unsigned int i = 0; i < 150; i++)
		launch(300 + i % 6);
	launch(400), launch(401);
}

static void once(unsigned int step)
{
	(void)step;
	train(1);
}

static void accumulated(unsigned int step)
{
	for (unsigned int i = 0; !step && i < 700; i++)
		launch(1000 + i); /* what sets up */
	train(8);
}

static void varied(unsigned int step)
{
	(void)step;
	train(6 + draw(5));
}

static void validated(unsigned int step)
{
	train(8);
	for (unsigned int i = 0; step % 10 == 9 && i < 30; i++)
		layers(100, 12);
}

/* Rollout, log-probabilities, two mini-batches. */
static void reinforced(unsigned int step)
{
	(void)step;
	for (unsigned int decode = 50 + draw(400); decode; decode--)
		for (unsigned int i = 0; i < 72; i++)
			launch(600 + i % 9);
	for (unsigned int i = 0; i < 4; i++)
		layers(100, 12);
	train(4), train(4);
}

static const struct sequence {
	const char *name;
	void (*step)(unsigned int step);
	unsigned int noise;
} sequences[] = {
	{ "one micro-batch", once, 0 },
	{ "eight micro-batches behind kernels that set up", accumulated, 0 },
	{ "the same with 2 % of launches at random", accumulated, 2 },
	{ "six to ten micro-batches", varied, 2 },
	{ "a validation every ten steps", validated, 2 },
	{ "rollout, two mini-batches", reinforced, 0 },
};

static void make(const struct sequence *s)
{
	count = 0;
	noise = s->noise;
	for (unsigned int step = 0; step < STEPS; step++) {
		s->step(step);
		ends[step + 1] = count;
	}
}

/* ---- rules ---- */

static struct kernel_row rows[KERNELS];

static void take(unsigned int kernel, size_t number)
{
	period_take(&rows[kernel].period, 7, number);
}

static int guess(const struct kernel_row *(*rule)(const struct report *r), size_t so_far)
{
	struct report r = { .kernels = rows, .kernel_count = KERNELS };
	const struct kernel_row *found;

	for (unsigned int i = 0; i < KERNELS; i++) {
		rows[i].kind = EV_LAUNCH;
		rows[i].name = (char[]){ "kernel" };
		rows[i].period.behind = so_far - rows[i].period.last - 1;
	}
	found = rule(&r);
	return found ? (int)(found - rows) : NONE;
}

static const struct rule {
	const char *name;
	const struct kernel_row *(*guess)(const struct report *r);
} rules[] = {
	{ "equal", periodic_kernels_equal },
	{ "alike", periodic_kernels_alike },
};

/* Runs of a kernel: each would end a step. */
static size_t runs_of(int kernel, size_t from, size_t to)
{
	size_t runs = 0;

	for (size_t i = from; i < to; i++)
		runs += launches[i] == kernel && (i == from || launches[i - 1] != kernel);
	return runs;
}

static bool is_once_a_step(int kernel)
{
	for (unsigned int step = 0; kernel != NONE && step < STEPS; step++)
		if (runs_of(kernel, ends[step], ends[step + 1]) != 1)
			return false;
	return kernel != NONE;
}

#define EVERY 1024

static void decide(const struct rule *rule)
{
	int last = NONE, kernel = NONE;
	unsigned int step = 0, same = 0;
	size_t i;

	memset(rows, 0, sizeof(rows));
	for (i = 0; i < count && same < 3; i++) {
		step += i == ends[step + 1];
		take(launches[i], i);
		if ((i + 1) % EVERY)
			continue;
		kernel = guess(rule->guess, i + 1);
		same = kernel == NONE ? 0 : kernel == last ? same + 1
							   : 1;
		last = kernel;
	}
	printf("\t%s_said=%u\t%s_said_ends=%zu", rule->name, same < 3 ? 0 : step + 1, rule->name, same < 3 ? 0 : runs_of(kernel, 0, count));
}

static void try(const struct rule *rule)
{
	unsigned int lock = 0;
	double ns = 0;
	int kernel = NONE;

	memset(rows, 0, sizeof(rows));
	for (unsigned int step = 0; step < STEPS; step++) {
		clock_t begin = clock();

		for (size_t i = ends[step]; i < ends[step + 1]; i++)
			take(launches[i], i);
		ns += (double)(clock() - begin) * (1e9 / CLOCKS_PER_SEC);
		kernel = guess(rule->guess, ends[step + 1]);
		if (!is_once_a_step(kernel))
			lock = 0;
		else if (!lock)
			lock = step + 1;
	}
	printf("\t%s_lock=%u\t%s_ends=%zu\t%s_ns=%.1f", rule->name, lock, rule->name, kernel == NONE ? 0 : runs_of(kernel, 0, count), rule->name,
	       ns / (double)count);
}

int main(void)
{
	launches = malloc(sizeof(*launches) * 4000000);
	for (size_t i = 0; launches && i < sizeof(sequences) / sizeof(*sequences); i++) {
		make(&sequences[i]);
		printf("%s\tlaunches=%.0f", sequences[i].name, (double)count / STEPS);
		for (size_t j = 0; j < sizeof(rules) / sizeof(*rules); j++)
			try(&rules[j]), decide(&rules[j]);
		printf("\n");
	}
	free(launches);
	return 0;
}
