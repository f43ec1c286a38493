/*
 * made_run FOLDER SEED [WORD]... - the traces of two ranks and 12 steps, which differ by as much as the seed has drawn: under 1 % of each kernel,
 * and of the pause between two steps. A step has five kernels, matmul twice; the host waits for each of them. Of the whole run:
 * exact              nothing is drawn
 * steps:N, ranks:N   so many
 * world:N            the job has so many ranks
 * renamed:KERNEL:TO  it is called so, and its sizes are others
 * called:KERNEL:TEXT it is called so, whatever that is; called:KERNEL: and nothing else: 60,000 letters
 * keeps:BYTES        each second step keeps so many, times its number: an allocation more that is not freed; and so
 *                    does a framework's allocator, of which each step has a piece that it gives back
 * host               there are no device times
 * level0             calls that wait or build are not recorded
 * open               the last step did not end
 * meet, pairs        a step ends with a collective of all ranks, or of ranks 0 and 1, then of 1 and 2, and so on
 * kinds:N            launches of a kernel have so many sizes, by turns
 * stacks             launches tell who asked for them (made_stacks.h)
 * operators          each launch is made by an operator, which has a device time of its own
 * And, of the steps and ranks that an in:STEP:RANK before has named (in:5: is of all ranks, in::1 of all steps; of the whole run, where there is none):
 * slow:KERNEL:NS     each launch of it takes so much longer
 * more:KERNEL[:N]    it is launched so many times more, once
 * sizes:KERNEL:NS    its sizes are others, and it takes so much longer
 * memory:BYTES       an allocation is so large (4096)
 * or a word of numbers[] below.
 */
#include <stddef.h>
#include <stdio.h>

#include "tests/programs/made_rank.h"

static const struct {
	const char *word;
	size_t at;
} numbers[] = {
	{ "pause", offsetof(struct day, pause) },	/* ns more between two steps */
	{ "call", offsetof(struct day, call) },		/* a call of so many ns */
	{ "alloc", offsetof(struct day, alloc) },	/* ns more in the allocation */
	{ "build", offsetof(struct day, build) },	/* a program is built in so many ns */
	{ "idle", offsetof(struct day, idle) },		/* relu begins so many ns later than it could */
	{ "transfer", offsetof(struct day, transfer) }, /* ns more that the step's collectives take */
	{ "copy", offsetof(struct day, copy) },		/* bytes that are copied to the device, */
	{ "copying", offsetof(struct day, copying) },	/* in so many ns */
	{ "copies", offsetof(struct day, copies) },	/* so many times more */
	{ "pool", offsetof(struct day, pool) },		/* bytes that a framework's allocator says it has given */
	{ "range", offsetof(struct day, range) },	/* not 0: the pause is marked as load_data */
	{ "ahead", offsetof(struct day, ahead) },	/* the rank is on another host, whose clock is so many ns ahead */
	{ "lost", offsetof(struct day, lost) },		/* calls that were dropped */
	{ "skip", offsetof(struct day, skip) },		/* not 0: it is not recorded */
	{ "still", offsetof(struct day, still) },	/* not 0: nothing is launched */
	{ "memory", offsetof(struct day, memory) },
	{ "held", offsetof(struct day, held) }, /* ns more that the call of adam's operator takes when it has launched */
};

#define KERNEL_WORDS "matmul", "norm", "relu", "add", "adam", "extra"
static const char *const kernels[KERNELS] = { KERNEL_WORDS };
struct made made = { .names = { KERNEL_WORDS }, .steps = 12, .ranks = 2, .kinds = 1 };

static size_t kernel_of(const char *name)
{
	for (size_t i = 0; i < KERNELS; i++)
		if (!strcmp(kernels[i], name))
			return i;
	abort();
}

static const char *any_name(const char *text)
{
	static char letters[60001];

	return *text ? text : memset(letters, 'x', sizeof(letters) - 1);
}

static bool take_name(const char *word)
{
	static char others[KERNELS][32];
	char name[32], other[32];
	size_t kernel;

	if (sscanf(word, "renamed:%31[a-z]:%31[a-z]", name, other) == 2) {
		kernel = kernel_of(name);
		made.names[kernel] = strcpy(others[kernel], other);
		return made.renamed[kernel] = true;
	}
	if (sscanf(word, "called:%31[a-z]:", name) != 1)
		return false;
	made.names[kernel_of(name)] = any_name(word + strlen("called::") + strlen(name));
	return true;
}

/* Of the whole run. */
static bool take(const char *word)
{
	static const struct {
		const char *word;
		bool *truth;
	} truths[] = {
		{ "exact", &made.exact },
		{ "host", &made.host },
		{ "level0", &made.level0 },
		{ "stacks", &made.stacks },
		{ "operators", &made.operators },
		{ "open", &made.open },
		{ "meet", &made.meet },
		{ "pairs", &made.pairs },
	};
	static const struct {
		const char *form;
		unsigned int *number;
	} of_run[] = {
		{ "steps:%u", &made.steps },
		{ "ranks:%u", &made.ranks },
		{ "world:%u", &made.world },
		{ "kinds:%u", &made.kinds },
	};

	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++)
		if (!strcmp(word, truths[i].word))
			return *truths[i].truth = true;
	for (size_t i = 0; i < sizeof(of_run) / sizeof(*of_run); i++)
		if (sscanf(word, of_run[i].form, of_run[i].number) == 1)
			return true;
	return take_name(word) || sscanf(word, "keeps:%lu", &made.kept_bytes) == 1;
}

static bool take_number(struct day *day, const char *word)
{
	size_t length = strcspn(word, ":");

	for (size_t i = 0; word[length] && i < sizeof(numbers) / sizeof(*numbers); i++)
		if (strlen(numbers[i].word) == length && !memcmp(word, numbers[i].word, length)) {
			*(uint64_t *)((char *)day + numbers[i].at) += strtoull(word + length + 1, NULL, 10);
			return true;
		}
	return false;
}

/* Of a step. */
static void take_of_step(struct day *day, const char *word)
{
	char name[32];
	uint64_t n = 1;
	size_t kernel;

	if (take_number(day, word))
		return;
	if (sscanf(word, "slow:%31[a-z]:%lu", name, &n) == 2) {
		day->kernels[kernel_of(name)].ns += n;
	} else if (sscanf(word, "more:%31[a-z]:%lu", name, &n) >= 1) {
		day->kernels[kernel_of(name)].launches += n;
	} else {
		must(sscanf(word, "sizes:%31[a-z]:%lu", name, &n) == 2);
		kernel = kernel_of(name);
		day->kernels[kernel].ns += n;
		day->kernels[kernel].other_sizes = true;
	}
}

static bool is_named(const char *in, unsigned int step, unsigned int rank)
{
	const char *of_rank = strchr(in, ':') + 1;

	return (*in == ':' || strtoul(in, NULL, 10) == step) && (!*of_rank || strtoul(of_rank, NULL, 10) == rank);
}

static void plan(struct day *day, char **words, unsigned int step, unsigned int rank)
{
	bool named = true;

	*day = usual;
	for (char **word = words; *word; word++)
		if (!strncmp(*word, "in:", 3))
			named = is_named(*word + 3, step, rank);
		else if (named)
			take_of_step(day, *word);
}

/* ---- the run ---- */

static void make_step(struct rank *all, char **words, unsigned int step)
{
	for (unsigned int i = 0; i < made.ranks; i++) {
		plan(&all[i].day, words, step, i);
		rank_begin_step(&all[i], step);
	}
	if (made.meet)
		ranks_meet(all, 0, made.ranks - 1, 1);
	for (unsigned int first = 0; made.pairs && first + 1 < made.ranks; first++)
		ranks_meet(all, first, first + 1, 1 + first);
	for (unsigned int i = 0; i < made.ranks; i++)
		rank_end_step(&all[i], step);
}

int main(int argc, char **argv)
{
	char **words = argv + 3;
	struct rank *all;

	if (argc < 3)
		return 2;
	for (char **word = words, **kept = words; (*kept = *word); word++)
		kept += !take(*word);
	all = calloc(made.ranks, sizeof(*all));
	must(all);
	for (unsigned int i = 0; i < made.ranks; i++) {
		plan(&all[i].day, words, 1, i);
		rank_begin(&all[i], i, strtoul(argv[2], NULL, 10), argv[1]);
	}
	for (unsigned int step = 1; step <= made.steps; step++)
		make_step(all, words, step);
	for (unsigned int i = 0; i < made.ranks; i++)
		rank_end(&all[i]);
	return 0;
}
