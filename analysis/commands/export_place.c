#include "analysis/commands/export_place.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/run/run_folder.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"

bool export_place_is_taken(const char *path, const struct arguments *in)
{
	bool trace = trace_paths_is_trace(path) || run_folder_has_own(path);

	for (int i = 0; i < in->count; i++)
		trace |= trace_paths_same(path, in->paths[i]);
	if (trace)
		fprintf(stderr, "ranktrace: %s is a trace or an input and is not overwritten; give another file with -o\n", path);
	return trace;
}

bool export_place_is_folder(const char *path)
{
	struct stat st;
	size_t length = strlen(path);

	return (length && path[length - 1] == '/') || (!stat(path, &st) && S_ISDIR(st.st_mode));
}

static bool holds_something(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	bool found = false;

	while (dir && !found && (d = readdir(dir)))
		found = strcmp(d->d_name, ".") && strcmp(d->d_name, "..");
	if (dir)
		closedir(dir);
	return found;
}

/* The run's folder, where an export of the whole run lies. */
static bool find_run(const struct export_format *to, const struct arguments *in, bool all_kinds, char *folder, size_t size)
{
	const char *why = NULL;
	struct run run = { 0 };

	if (!to->exporter->beside)
		why = "makes several files";
	else if (!all_kinds || !choice_is_all(&in->choice))
		why = "of a part of a run goes into no folder of the run's";
	else if (in->count != 1 || run_folders_below(in->paths[0]) > 1)
		why = "of several runs goes into no folder of one of them";
	else if (run_folder_read(&run, in->paths[0], folder, size))
		why = "makes several files, and the path belongs to no run";
	run_free(&run);
	if (why)
		fprintf(stderr, "ranktrace: --to %s %s: give a folder with -o\n", to->word, why);
	return !why;
}

char *export_place_beside(const struct export_format *to, const struct arguments *in, bool all_kinds)
{
	char folder[4096], *beside;

	if (!find_run(to, in, all_kinds, folder, sizeof(folder)))
		return NULL;
	beside = alloc_format("%s/%s", folder, to->word);
	if (!holds_something(beside))
		return beside;
	fprintf(stderr, "ranktrace: %s is there already: remove it, or give another folder with -o\n", beside);
	free(beside);
	return NULL;
}

void export_place_tell_of_earlier(const struct export_format *to, const char *path)
{
	if (to->exporter->beside && holds_something(path))
		fprintf(stderr, "ranktrace: %s is not empty: folders of an earlier export stay there, unless the new ones have their names\n", path);
}
