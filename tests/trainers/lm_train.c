/*
 * Trains a character language model on OpenCL 1.2: the embedding of LM_CONTEXT characters, two
 * tanh layers and a softmax over the next character, with Adam. Each of WORLD_SIZE ranks
 * trains its own copy on its own shard of the text.
 *
 * The kernels and the text are part of the executable: build from the top of the repository,
 * or with -I pointing there.
 */
#include "lm_trainer.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define EMBED_FILE(symbol, path)                                                                                      \
	__asm__(".pushsection .rodata\n"                                                                              \
		".globl " #symbol ", " #symbol "_end\n"                                                               \
		".hidden " #symbol ", " #symbol "_end\n" #symbol ": .incbin \"" path "\"\n" #symbol "_end: .byte 0\n" \
		".popsection\n");                                                                                     \
	extern const char symbol[], symbol##_end[]

EMBED_FILE(lm_text, "tests/trainers/lm_text.txt");
EMBED_FILE(lm_kernels, "tests/trainers/lm_kernels.cl");

static void train(struct trainer *t)
{
	float first = 0, last = 0;

	for (int step = 0; step < t->opt.steps; step++) {
		last = train_step(t, step);
		if (step == 0)
			first = last;
	}
	if (t->opt.steps > 1 && !(last < first))
		die("the loss did not fall: first %.4f, last %.4f", first, last);
}

static int number(const char *name, const char *text, int least)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < least || n > 100000000)
		die("%s: '%s' is not a number of at least %d", name, text, least);
	return n;
}

static int environment(const char *name, int missing, int least)
{
	const char *text = getenv(name);

	return text && *text ? number(name, text, least) : missing;
}

static void take_shard(struct trainer *t)
{
	size_t len = lm_text_end - lm_text;

	t->rank = environment("RANK", 0, 0);
	t->world = environment("WORLD_SIZE", 1, 1);
	if (t->rank >= t->world)
		die("RANK %d is not below WORLD_SIZE %d", t->rank, t->world);

	t->shard = lm_text + len * t->rank / t->world;
	t->shard_len = lm_text + len * (t->rank + 1) / t->world - t->shard;
	if (t->shard_len <= LM_CONTEXT)
		die("the text is too short for %d ranks", t->world);
	t->random = random_seed(t->opt.seed, t->rank + 1);
}

static void usage(FILE *to)
{
	fputs("usage: lm_train [--steps N] [--batch B] [--seed S] [--verify] [--quiet]\n"
	      "                [--print-counts]\n",
	      to);
}

static void parse_options(struct options *opt, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "steps", required_argument, NULL, 's' },
		{ "batch", required_argument, NULL, 'b' },
		{ "seed", required_argument, NULL, 'S' },
		{ "verify", no_argument, NULL, 'v' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "print-counts", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 's': opt->steps = number("--steps", optarg, 1); break;
		case 'b': opt->batch = number("--batch", optarg, 1); break;
		case 'S': opt->seed = number("--seed", optarg, 0); break;
		case 'v': opt->verify = true; break;
		case 'q': opt->quiet = true; break;
		case 'c': opt->print_counts = true; break;
		case 'h': usage(stdout); exit(0);
		default: usage(stderr); exit(2);
		}
	}
	if (optind < argc || opt->batch > 65536) {
		usage(stderr);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct trainer t = { .opt = { .steps = 8, .batch = 64, .seed = 1 } };

	parse_options(&t.opt, argc, argv);
	take_shard(&t);

	device_open(&t);
	train(&t);
	device_release(&t);

	if (t.opt.print_counts)
		print_counts();
	return 0;
}
