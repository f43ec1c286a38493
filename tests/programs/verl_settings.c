/* verl_settings.c VERSION WORD... - each value of the profilers' trees that verl of that version has with these words, as it is read here. */
#include <stdio.h>
#include <string.h>

#include "config/load/interpolation.h"
#include "config/load/verl.h"

static const char *version;

static const char *version_of(const char *package)
{
	(void)package;
	return version;
}

static void say(const char *line)
{
	fprintf(stderr, "%s\n", line);
}

static void print_value(struct tree *t, const struct node *n)
{
	const char *between = "";

	if (!n || n->shape == SHAPE_NULL) {
		fputs("null", stdout);
	} else if (n->shape == SHAPE_LIST) {
		putchar('[');
		for (const struct node *item = n->first; item; item = item->next, between = ",") {
			fputs(between, stdout);
			print_value(t, interpolate(t, item));
		}
		putchar(']');
	} else {
		fputs(n->text ? n->text : "", stdout);
	}
}

static void print_below(struct tree *t, const struct node *n, const char *path)
{
	char below[512];

	n = interpolate(t, n);
	if (!n || n->shape != SHAPE_MAP) {
		printf("%s=", path);
		print_value(t, n);
		putchar('\n');
		return;
	}
	for (n = n->first; n; n = n->next) {
		snprintf(below, sizeof(below), "%s.%s", path, n->key);
		print_below(t, n, below);
	}
}

int main(int argc, char **argv)
{
	static const char *const trees[] = { "global_profiler", "actor_rollout_ref.actor.profiler", "actor_rollout_ref.rollout.profiler",
					     "actor_rollout_ref.ref.profiler", "critic.profiler", "reward_model.profiler" };
	struct loader_command command = { .words = argv + 2, .version = version_of, .say = say };
	static struct config c;
	const struct node *n;
	struct loader l;
	struct verl v;
	char error[1400];

	version = argc > 1 ? argv[1] : "";
	loader_begin(&l, &c, error, sizeof(error));
	l.command = &command;
	if (verl_begin(&v, &l, NULL) || verl_lay_all(&v, NULL, 0)) {
		fprintf(stderr, "%s\n", error);
		return 1;
	}
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		n = tree_find(&v.tree, trees[i], strlen(trees[i]));
		if (n)
			print_below(&v.tree, n, trees[i]);
	}
	tree_end(&v.tree);
	return 0;
}
