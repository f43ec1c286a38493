#include "analysis/check/closing_lines.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check/explain.h"
#include "analysis/launch/variables.h"
#include "analysis/run/run_folder.h"
#include "analysis/run/run_totals.h"
#include "analysis/util/trace_paths.h"

#define DELETED " (deleted)" /* the kernel says so of a file that has no name any more */

void closing_lines_own_name(char *name, size_t size)
{
	char self[1024], found[PATH_MAX + 16];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *path = getenv("PATH") ? strdup(getenv("PATH")) : NULL, *save = NULL;

	snprintf(name, size, "ranktrace");
	if (n <= 0)
		return;
	self[n] = '\0';
	if (n > (ssize_t)strlen(DELETED) && !strcmp(self + n - strlen(DELETED), DELETED)) {
		free(path); /* it was replaced or removed meanwhile: its plain name is as good as any */
		return;
	}
	for (char *d = path ? strtok_r(path, ":", &save) : NULL; d; d = strtok_r(NULL, ":", &save)) {
		snprintf(found, sizeof(found), "%s/ranktrace", d);
		if (!access(found, X_OK)) {
			if (!trace_paths_same(found, self))
				run_folder_show(self, name, size);
			free(path);
			return;
		}
	}
	free(path);
	run_folder_show(self, name, size);
}

void closing_lines_wait(const char *nothing, unsigned int running)
{
	const char *one = running == 1 ? "s" : "";

	fprintf(stderr, "ranktrace: %s yet: %u process%s still run%s, and write%s when a window ends or at the exit\n", nothing, running,
		running == 1 ? "" : "es", one, one);
}

void closing_lines_command(FILE *out, const char *words, const char *folder)
{
	char command[1200];

	closing_lines_own_name(command, sizeof(command));
	variables_put_value(out, command, false);
	fprintf(out, " %s ", words);
	variables_put_value(out, folder, false);
}

static void say_next(const char *words, const char *folder)
{
	fputs("ranktrace: next: ", stderr);
	closing_lines_command(stderr, words, folder);
	fputc('\n', stderr);
}

static void say_nothing(const struct run *r, const char *folder)
{
	unsigned int n = run_still_record(r);

	if (n) {
		closing_lines_wait("nothing is in a file", n);
		explain(r, stderr, "ranktrace: ");
	} else if (r->asked.steps.none && r->count) {
		explain(r, stderr, "ranktrace: nothing was recorded: ");
		say_next("check --sources", folder);
	} else if (!explain(r, stderr, "ranktrace: nothing was recorded: ")) {
		fputs("ranktrace: nothing was recorded\n", stderr);
	}
}

void closing_lines(const struct run *r, const char *folder)
{
	char summary[128], shown[1200];

	struct run_totals t = run_totals(r);

	run_folder_show(folder, shown, sizeof(shown));
	run_summary(r, summary, sizeof(summary));
	if (!t.recorders && !t.stages_alone) {
		say_nothing(r, shown);
		return;
	}
	fprintf(stderr, "ranktrace: %s in %s\n", summary, shown);
	explain(r, stderr, "ranktrace: ");
	say_next("report", shown);
}
