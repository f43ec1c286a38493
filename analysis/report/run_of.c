/* run_of.c - what run.json knows of a process and its files do not: calls of windows that got no file. */
#include "analysis/report/run_of.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/run/from_traces.h"
#include "analysis/run/run_folder.h"
#include "analysis/run/run_totals.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && path[n] == '/';
}

/* NULL: there is no run.json above this file. */
static const struct known_run *job_of(struct known_runs *all, const char *path)
{
	struct known_run *job;

	for (size_t i = 0; i < all->count; i++)
		if (is_below(path, all->list[i].folder))
			return &all->list[i];
	if (all->nowhere && trace_paths_are_beside(path, all->nowhere))
		return NULL;
	all->list = alloc_grow(all->list, all->count + 1, sizeof(*job));
	job = &all->list[all->count];
	*job = (struct known_run){ .run = alloc_zero(1, sizeof(*job->run)) };
	if (!run_folder_read(job->run, path, job->folder, sizeof(job->folder))) {
		all->count++;
		return job;
	}
	run_free(job->run);
	free(job->run);
	free(all->nowhere);
	all->nowhere = alloc_text(path, strlen(path));
	return NULL;
}

void run_of_free(struct known_runs *all)
{
	for (size_t i = 0; i < all->count; i++) {
		run_free(all->list[i].run);
		free(all->list[i].run);
		table_free(&all->list[i].by_name);
	}
	free(all->list);
	free(all->nowhere);
}

/* Of pid and file id. */
static uint64_t key_of(uint64_t pid, uint32_t file_id)
{
	return pid << 32 | file_id;
}

/* As the agent ends a file's name, from_traces_find() finds it: of many processes each one's is not looked through. */
static void index_names(struct known_run *job)
{
	job->by_name = TABLE(uint32_t);
	for (unsigned int i = 0; i < job->run->count; i++) {
		const char *name = job->run->processes[i].file, *dash = strrchr(name, '-');
		uint32_t id, pid;

		while (dash && dash > name && *--dash != '-')
			;
		if (dash && sscanf(dash, "-%" SCNu32 "-%8" SCNx32 ".", &pid, &id) == 2 && !table_find(&job->by_name, key_of(pid, id)))
			*(uint32_t *)table_add(&job->by_name, key_of(pid, id)) = i + 1;
	}
}

static const struct run_process *process_of(const struct known_run *known, const struct process *p)
{
	struct known_run *job = (struct known_run *)(uintptr_t)known;
	const uint32_t *number;

	if (!job->by_name.item_size)
		index_names(job);
	number = table_find(&job->by_name, key_of(p->pid, (uint32_t)p->file_id));
	return number ? &job->run->processes[*number - 1] : from_traces_find(job->run, p);
}

static void take_cause(struct report *r, const char *cause)
{
	const char *known = key_values_get(&r->facts, "cause");

	if (!known || !strcmp(known, "none"))
		key_values_set(&r->facts, "cause", cause);
}

/* NULL: not known. */
static const char *command_in(const struct known_run *job)
{
	return job && job->run->command_line && *job->run->command_line ? job->run->command_line : NULL;
}

static char *command_of(const struct known_run *job, const struct report *r)
{
	const char *command = command_in(job);

	if (!command)
		command = key_values_get(&r->facts, "command");
	return alloc_text(command ? command : "", command ? strlen(command) : 0);
}

void run_of_tell(struct trace *trace)
{
	struct known_runs all = { 0 };

	for (size_t i = 0; i < trace->count; i++) {
		struct process *p = &trace->processes[i];
		const char *command = command_in(job_of(&all, p->files[0].path));

		if (command)
			key_values_set(&p->facts, "run_command", command);
	}
	run_of_free(&all);
}

static void take_preset(struct report *r, const struct config *asked)
{
	if (!*asked->preset)
		return;
	key_values_set(&r->facts, "preset", asked->preset);
	key_values_set(&r->facts, "preset_version", asked->preset_version);
}

const struct known_run *run_of_find(struct known_runs *all, struct report *r, const struct process *p)
{
	const struct known_run *job = job_of(all, p->files[0].path);

	r->started = job && run_started(job->run) ? run_started(job->run) : p->files[0].first_realtime;
	r->command = command_of(job, r);
	r->status = job ? job->run->exit_status : -1;
	r->ended_by = job ? job->run->signal : -1;
	r->folder = job ? alloc_text(job->folder, strlen(job->folder)) : NULL;
	if (job)
		take_preset(r, &job->run->asked);
	return job;
}

void run_of_take(struct known_runs *all, struct report *r, const struct process *p)
{
	const struct known_run *job = run_of_find(all, r, p);
	const struct run_process *of = job ? process_of(job, p) : NULL;

	if (of && of->signal > 0)
		r->signal = of->signal;
	/* Of all files of the process, or it speaks of others. */
	if (!of || run_is_alive(of) || of->files > (int64_t)p->file_count || of->kept != (int64_t)r->kept ||
	    of->entered < (int64_t)r->called || of->dropped < (int64_t)r->dropped)
		return;
	if (of->dropped > (int64_t)r->dropped)
		take_cause(r, of->cause);
	r->called = (uint64_t)of->entered;
	r->dropped = (uint64_t)of->dropped;
	r->unselected = (uint64_t)run_unselected(of);
	r->in_flight = of->entered - of->kept - of->dropped - of->waiting;
}
